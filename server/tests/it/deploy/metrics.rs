//! What a node measures: the list in the code, the list in words, and what is answered.

use std::collections::BTreeSet;

use domain::stream::EventId;
use server::telemetry::{Kind, METERS, Meter};

use super::file;
use crate::hub::reading::Reader;
use crate::screens::{Staff, eventually};
use crate::support::{Engine, Place, Process};

/// Measured only where nodes publish to a log of their own.
const OF_SEVERAL_NODES: &str = "rt_publish_seconds";

/// The row of the table.
fn row(meter: &Meter) -> String {
    let kind = match meter.kind {
        Kind::Counter => "counter",
        Kind::Gauge => "gauge",
        Kind::Histogram => "histogram",
    };
    let label = meter.label.map(|(label, _)| format!("`{label}`"));
    let label = label.unwrap_or_default();
    format!(
        "| `{}` | {kind} | {label} | {} |",
        meter.name, meter.meaning
    )
}

#[test]
fn the_table_of_metrics_is_the_list_in_the_code() {
    let text = file("deploy/metrics.md");
    let told: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let expected: Vec<String> = METERS.iter().map(row).collect();
    assert_eq!(told, expected);
}

/// The names in an answer of `/metrics`.
fn families(text: &str) -> BTreeSet<&str> {
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    types.map(|line| line.split(' ').next().unwrap()).collect()
}

/// A kitchen follows, an order is confirmed and acknowledged, and the stream is left.
async fn tell_a_story(process: &Process) {
    let owner = Staff::login(process.addr, "owner", "1000").await;
    let item = owner.plain_item().await;
    let ticket = owner.ticket().await.unwrap().json();
    let ticket = ticket["ticket"].as_str().unwrap();
    let stream = owner.subscribe(ticket, "pass", EventId::NONE).await;
    let mut reader = Reader::answer(stream.unwrap());
    reader.ready().await;
    let used = owner.subscribe(ticket, "again", EventId::NONE).await;
    assert_eq!(used.unwrap().status(), 401);
    owner.orders(item, "").await;
    let last = loop {
        let id = reader.next_but_beats().await.unwrap().id.unwrap();
        if id.seq == 3 {
            break id;
        }
    };
    reader.find("heartbeat").await;
    assert_eq!(owner.ack("pass", last).await.unwrap().status(), 204);
    let none = process.client().get("/api/nothing").await;
    assert_eq!(none.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_story_every_metric_is_there_and_none_that_is_not_in_the_list() {
    let place = Place::on(Engine::Sqlite).await;
    let process = Process::measured(&place, &["--heartbeat-ms", "200"]).await;
    tell_a_story(&process).await;
    let has = async |name: &str, labels: &[&str], value: f64| {
        let found = process.metric(name, labels).await;
        assert!((found - value).abs() < 1e-9, "{name} {labels:?}: {found}");
    };
    eventually("the stream is over", async || {
        process.metric("rt_streams_closed_total", &[]).await > 0.0
    })
    .await;
    let text = process.scrape().await;
    let known: BTreeSet<&str> = METERS.iter().map(|meter| meter.name).collect();
    let found = families(&text);
    let missing: Vec<_> = known.difference(&found).collect();
    assert!(
        missing.is_empty() || missing == [&OF_SEVERAL_NODES],
        "{missing:?}"
    );
    assert_eq!(found.difference(&known).collect::<Vec<_>>(), [&""; 0]);

    has("rt_streams_open", &[], 0.0).await;
    has("rt_streams_limit", &["limit=\"node\""], 5_000.0).await;
    has("rt_limit_seconds", &["limit=\"lifetime\""], 3_600.0).await;
    has("rt_streams_opened_total", &[], 1.0).await;
    has("rt_streams_closed_total", &["reason=\"completed\""], 1.0).await;
    has("rt_replays_total", &["kind=\"fresh\""], 1.0).await;
    has("rt_tickets_issued_total", &["to=\"staff\""], 1.0).await;
    has("rt_tickets_shown_total", &["outcome=\"taken\""], 1.0).await;
    has("rt_tickets_shown_total", &["outcome=\"invalid\""], 1.0).await;
    has("rt_frames_written_total", &[], 3.0).await;
    has("rt_delivery_seconds_count", &[], 3.0).await;
    has("rt_acks_total", &[], 1.0).await;
    has("rt_feeds", &[], 1.0).await;
    has("rt_ring_frames", &[], 3.0).await;
    has("pos_command_seconds_count", &["outcome=\"done\""], 2.0).await;
    assert!(process.metric("rt_ring_bytes", &[]).await > 500.0);
    assert!(process.metric("rt_heartbeats_total", &[]).await > 0.0);
    // Waiting for its pool and answers, at most.
    assert!(process.metric("rt_delivery_seconds_sum", &[]).await < 3.0);
}
