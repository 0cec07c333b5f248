//! Every metric of the process, with what it means. `deploy/metrics.md` is this list in words, and
//! a test holds both against what `/metrics` answers.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

/// What is counted or measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only ever grows, from zero at the start of the process.
    Counter,
    /// Goes up and down.
    Gauge,
    /// How many there were below each bound, and their sum.
    Histogram,
}

/// One metric.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Its name; a unit other than a count stands in it.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// The label that tells its series apart, with every value it has; no value where they are as
    /// many as there are routes.
    pub label: Option<(&'static str, &'static [&'static str])>,
    /// What it means.
    pub meaning: &'static str,
}

const fn meter(kind: Kind, name: &'static str, meaning: &'static str) -> Meter {
    Meter {
        name,
        kind,
        label: None,
        meaning,
    }
}

const fn count(name: &'static str, meaning: &'static str) -> Meter {
    meter(Kind::Counter, name, meaning)
}

const fn level(name: &'static str, meaning: &'static str) -> Meter {
    meter(Kind::Gauge, name, meaning)
}

const fn times(name: &'static str, meaning: &'static str) -> Meter {
    meter(Kind::Histogram, name, meaning)
}

impl Meter {
    const fn by(self, label: &'static str, values: &'static [&'static str]) -> Self {
        Self {
            label: Some((label, values)),
            ..self
        }
    }
}

const LIMITS: &[&str] = &["node", "store", "session", "party", "rate"];
const ENDS: &[&str] = &[
    "completed",
    "error",
    "slow-consumer",
    "lifetime",
    "revoked",
    "cleared",
    "drain",
    "lagged-out",
];
const RELOADS: &[&str] = &[
    "TooManyEvents",
    "EpochChanged",
    "CursorAhead",
    "HistoryExpired",
    "LaggedOut",
    "Other",
    "guest",
];
const TRANSITIONS: &[&str] = &[
    "pending",
    "reserved",
    "adopted",
    "grown",
    "shrunk",
    "split",
    "extended",
    "confirmed",
    "sold",
    "late",
    "released",
    "expired",
    "rejected",
];
const TIMES: &[&str] = &["heartbeat", "lifetime", "slow-consumer"];

/// All of them, in the order of an event's way.
pub const METERS: &[Meter] = &[
    times("pos_command_seconds", "From a command to its answer, by command and outcome: done, refused, failed"),
    count("rt_outbox_published_total", "Events that the relay put in the log"),
    count("rt_outbox_dead_total", "Events that could never be published, and read as a marker"),
    count("rt_outbox_expired_total", "Events that had their 72 hours and were forgotten"),
    level("rt_outbox_waiting_stores", "Stores with events that the log does not have"),
    level("rt_outbox_age_seconds", "Age of the oldest event that the log does not have"),
    count("rt_relay_failures_total", "Rounds of the relay that failed"),
    count("rt_relay_leases_lost_total", "Stores that another node took over while this one published"),
    times("rt_publish_seconds", "One store's events into the log, from the claim to its answer"),
    count("rt_publish_failures_total", "Attempts at a store that failed, and wait"),
    count("rt_publish_repeats_total", "Events that the log had already, or had lost").by("kind", &["same", "lost", "other"]),
    count("rt_log_publish_failures_total", "Writes that the log did not take"),
    level("rt_log_unhealthy", "1 while the log does not answer and streams follow the outbox"),
    level("rt_log_shards", "Connections that read the log"),
    count("rt_log_reader_failures_total", "Reads of the log that failed"),
    count("rt_log_reconnects_total", "Times that a reader found the log again"),
    count("rt_log_batches_left_total", "Batches of the log that a reader left to the outbox"),
    count("rt_log_holes_total", "Holes in what the log brought"),
    count("rt_log_repaired_total", "Events that the outbox brought instead of the log"),
    count("rt_reader_failures_total", "Reads of the outbox for a ring that failed"),
    count("rt_history_replaced_total", "Times that another history stood in the database: a restore"),
    count("rt_history_lost_total", "Times that committed events were missing in the outbox"),
    level("rt_feeds", "Stores that this node follows"),
    level("rt_ring_frames", "Frames in all rings"),
    level("rt_ring_bytes", "Bytes in all rings"),
    level("rt_ring_limit_frames", "Frames that one store's ring may hold"),
    level("rt_ring_limit_bytes", "Bytes that one store's ring may hold"),
    count("rt_tickets_issued_total", "Tickets given out").by("to", &["staff", "guest"]),
    count("rt_tickets_shown_total", "Tickets shown").by("outcome", &["taken", "invalid", "failed"]),
    level("rt_streams_open", "Streams open"),
    level("rt_streams_limit", "Streams that there may be; of `rate`, new ones in a second").by("limit", LIMITS),
    level("rt_limit_seconds", "Between two heartbeats; that a stream lives; that a reader may take nothing").by("limit", TIMES),
    count("rt_streams_opened_total", "Streams let in"),
    count("rt_streams_refused_total", "Streams refused, by the limit").by("limit", LIMITS),
    count("rt_streams_closed_total", "Streams ended, by reason").by("reason", ENDS),
    count("rt_slow_consumers_total", "Streams ended because their reader took nothing"),
    times("rt_stream_seconds", "How long streams were open"),
    count("rt_replays_total", "How streams began: everything after their cursor followed, nothing was seen yet, or they had to reload").by("kind", &["resumed", "fresh", "reload"]),
    level("rt_replay_limit", "Events repeated at most to a stream that comes back"),
    count("rt_reloads_total", "RELOAD_REQUIRED sent, by reason; `guest` to phones").by("reason", RELOADS),
    count("rt_holes_repaired_total", "Times that a stream caught up from history"),
    count("rt_events_from_history_total", "Events read from history for one stream"),
    count("rt_frames_written_total", "Events written to streams"),
    times("rt_delivery_seconds", "From an event's command to the socket, repeated events left out"),
    count("rt_heartbeats_total", "Heartbeats written"),
    count("rt_beat_failures_total", "Beats that could not ask the database"),
    count("rt_acks_total", "Reports of kitchen screens that moved on"),
    count("stock_transitions_total", "What became of holds on stock").by("transition", TRANSITIONS),
    level("stock_holds_open", "Holds that are open"),
    level("stock_lines_held", "Lines of open holds"),
    level("stock_units_held", "Units that are held"),
    level("stock_signatures_open", "Batches of carts that the same batch would find again"),
    level("stock_holds_overdue", "Holds that are over and not yet ended"),
    level("stock_oldest_overdue_seconds", "For how long the first of them has been over"),
    level("stock_batches_pending", "Batches that wait for a worker"),
    level("stock_batches_dead", "Batches that no worker could apply"),
    count("stock_work_failures_total", "Deliveries of a batch that failed"),
    count("stock_queue_begun_total", "Times that the work queue was not at the Redis server and was begun: a new one, or one that lost what it had"),
    level("stock_queue_entries", "Entries of the work queue at the Redis server"),
    level("stock_queue_unhealthy", "Above 0 while the work queue does not answer: batches wait in the database"),
    count("stock_queue_failures_total", "Times that the work queue did not answer, or refused"),
    count("stock_queue_reclaimed_total", "Batches taken over from a worker that was silent"),
    count("stock_queue_foreign_total", "Entries of the work queue that name no batch, and were thrown out"),
    count("stock_queue_workers_removed_total", "Workers that were gone, and were taken out of the work queue"),
    count("guest_limited_total", "Requests of guests refused, by the limit").by("limit", &["table", "address", "requests", "commands"]),
    times("http_request_seconds", "From a request to the head of its answer, by method and route"),
    count("http_requests_total", "Requests, by method, route and status").by("route", &[]),
    count("http_panics_total", "Requests that a panic ended"),
    level("clock_offset_seconds", "What the machine's clock lacks to the database's, which all nodes go by"),
];

/// Tells the recorder what each metric means, and begins those that are known at zero: a rate from
/// nothing to one is seen only when the nothing was.
pub(super) fn describe() {
    for meter in METERS {
        match meter.kind {
            Kind::Counter => describe_counter!(meter.name, meter.meaning),
            Kind::Gauge => describe_gauge!(meter.name, meter.meaning),
            Kind::Histogram => describe_histogram!(meter.name, meter.meaning),
        }
        begin(meter);
    }
}

fn begin(meter: &Meter) {
    match (meter.kind, meter.label) {
        (Kind::Counter, None) => counter!(meter.name).increment(0),
        (Kind::Gauge, None) => gauge!(meter.name).increment(0.0),
        (Kind::Histogram, _) => drop(histogram!(meter.name)),
        (Kind::Counter, Some((label, values))) => {
            for value in values {
                counter!(meter.name, label => *value).increment(0);
            }
        }
        (Kind::Gauge, Some((label, values))) => {
            for value in values {
                gauge!(meter.name, label => *value).increment(0.0);
            }
        }
    }
}
