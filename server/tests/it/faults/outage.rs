//! A database that is away for a while: killed, and only later started again.

use std::time::Duration;

use domain::stream::EventId;
use reqwest::Method;
use serde_json::json;
use tokio::time::Instant;
use uuid::Uuid;

use crate::hub::reading::Reader;
use crate::screens::{House, Reply, eventually};
use crate::support::{Client, Cluster, Place};

/// Carries it out where waiting is allowed.
async fn with(mut cluster: Cluster, act: fn(&mut Cluster)) -> Cluster {
    let acted = move || {
        act(&mut cluster);
        cluster
    };
    tokio::task::spawn_blocking(acted).await.unwrap()
}

async fn press(house: &House, item: Uuid, key: &str) -> Reply {
    let line = json!([{ "menuId": item, "quantity": 1 }]);
    let body = json!({ "channel": "counter", "lines": line, "note": key });
    house.owner.post("/hall/orders", key, &body).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_database_is_away_streams_beat_on_and_afterwards_they_go_on() {
    let start = || {
        let cluster = Cluster::durable();
        let url = cluster.create(None);
        (cluster, url)
    };
    let (cluster, url) = tokio::task::spawn_blocking(start).await.unwrap();
    let house = House::at(Place::at(url)).await;
    let item = house.owner.plain_item().await;
    let client = Client::new(house.addr);
    let ready = async || client.get("/readyz").await.status;
    let ticket = house.owner.ticket().await.unwrap().json();
    let ticket = ticket["ticket"].as_str().unwrap();
    let stream = house.owner.subscribe(ticket, "stays", EventId::NONE).await;
    let mut stream = Reader::answer(stream.unwrap());
    stream.ready().await;
    let before = press(&house, item, "before").await;
    assert_eq!((before.status, ready().await), (201, 200));

    // Commands are under way when it is killed.
    let pressed: Vec<String> = (0..12).map(|n| n.to_string()).collect();
    let under_way = pressed.iter().map(|key| press(&house, item, key));
    let (cluster, answers) = tokio::join!(
        with(cluster, Cluster::kill),
        futures_util::future::join_all(under_way)
    );
    for answer in &answers {
        assert!(matches!(answer.status, 201 | 503), "{answer:?}");
    }
    let asked = Instant::now();
    assert_eq!(ready().await, 503);
    assert!(asked.elapsed() < Duration::from_secs(3));
    // In words for people, without a word about the inside.
    let refused = client.request(Method::GET, "/api/auth/stores/demo/staff");
    let refused = client.send(refused).await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (503, "UNAVAILABLE")
    );
    // Beats come in time, though nothing can be asked.
    let begun = Instant::now();
    for _ in 0..5 {
        stream.find("heartbeat").await;
    }
    assert!(begun.elapsed() < Duration::from_secs(5));

    let cluster = with(cluster, Cluster::revive).await;
    eventually("it is ready again", async || ready().await == 200).await;
    let mut watermarks = Vec::new();
    for (key, first) in pressed.iter().zip(&answers) {
        let again = press(&house, item, key).await;
        assert_eq!(again.status, 201, "{again:?}");
        if first.status == 201 {
            assert_eq!(
                (&again.text, again.watermark),
                (&first.text, first.watermark)
            );
        }
        watermarks.push(again.watermark.unwrap());
    }
    watermarks.sort_by_key(|mark| mark.seq);
    // The same stream brings all of it, once, in order.
    let last = watermarks.last().unwrap().seq;
    assert_eq!(
        stream.seqs_upto(last).await,
        (1..=last).collect::<Vec<u64>>()
    );
    assert_eq!(watermarks.len(), 12);
    house.leave().await;
    drop(cluster);
}
