//! A reader that does not read, beside one that does.

use std::time::Duration;

use domain::stream::{EventId, Scope};
use tokio::time::Instant;

use super::large;
use crate::hub::reading::deaf;
use crate::screens::{House, Screen, Setup, Staff, eventually, settled};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_with_a_closed_window_is_closed_and_slows_no_other_screen() {
    let house = House::open(|config| config.slow_consumer_ms = 1_000).await;
    let item = house.owner.plain_item().await;
    let screen = Screen::start(&house.kitchen, Setup::of(&[Scope::HallOrders]));
    settled(&house.owner, &screen).await;
    let ticket = house.owner.ticket().await.unwrap().json();
    let path = Staff::stream_path(ticket["ticket"].as_str().unwrap(), "deaf", EventId::NONE);
    let path = format!("/api/pos/{}{path}", house.owner.store);
    let _deaf = deaf(house.addr, &path).await;
    eventually("both are open", async || house.app.hub.streams_open() == 2).await;

    let mut slowest = Duration::ZERO;
    for _ in 0..60 {
        let done = house.owner.does("/hall/orders", large(item, 30)).await;
        let committed = Instant::now();
        screen.reaches(done.watermark.unwrap()).await;
        slowest = slowest.max(committed.elapsed());
    }
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    eventually("the deaf reader is closed", async || {
        house.app.hub.streams_open() == 1
    })
    .await;
    settled(&house.owner, &screen).await;
    let seen = screen.seen();
    seen.assert_sound();
    assert_eq!(seen.opened.len(), 1, "the other screen noticed nothing");
}
