//! Metrics that are touched for every frame, and the settings of the hub as metrics: whoever
//! sees how many there are also sees how many there may be.

use metrics::{Counter, Histogram, counter, gauge, histogram};

use super::config::HubConfig;

/// Handles, looked up once.
pub(super) struct Meters {
    /// Events written.
    pub(super) frames: Counter,
    /// Heartbeats written.
    pub(super) heartbeats: Counter,
    /// From an event's command to the socket.
    pub(super) delivery: Histogram,
}

impl Meters {
    pub(super) fn new(config: &HubConfig) -> Self {
        settings(config);
        Self {
            frames: counter!("rt_frames_written_total"),
            heartbeats: counter!("rt_heartbeats_total"),
            delivery: histogram!("rt_delivery_seconds"),
        }
    }
}

fn settings(config: &HubConfig) {
    for (limit, most) in [
        ("node", config.streams_per_node),
        ("store", config.streams_per_store),
        ("session", config.streams_per_session),
        ("party", config.streams_per_party),
        ("rate", config.streams_per_second as usize),
    ] {
        gauge!("rt_streams_limit", "limit" => limit).set(most as f64);
    }
    for (limit, most) in [
        ("heartbeat", config.heartbeat),
        ("lifetime", config.lifetime),
        ("slow-consumer", config.slow_consumer),
    ] {
        gauge!("rt_limit_seconds", "limit" => limit).set(most.as_secs_f64());
    }
    gauge!("rt_replay_limit").set(config.replay as f64);
    gauge!("rt_ring_limit_frames").set(config.ring.frames as f64);
    gauge!("rt_ring_limit_bytes").set(config.ring.bytes as f64);
}
