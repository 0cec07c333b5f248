//! A gateway that answers in the server's place (trial C04).

use std::collections::BTreeSet;

use domain::bridge::Link;
use domain::stream::Scope;

use super::commit;
use super::proxy::{Line, Proxy};
use crate::screens::{House, Screen, Setup, eventually, settled};

const PACE: i64 = 20;

/// A login page of a network, with lines that a careless reader takes for events.
const CAPTIVE: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n\
    connection: close\r\n\r\n<html>\n\
    event: RELOAD_REQUIRED\ndata: {\"reason\":\"OTHER\",\"notBeforeMs\":0}\n\n\
    event: ready\ndata: {}\n\n</html>\n";

const REFUSALS: [&str; 4] = [
    "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    CAPTIVE,
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_attempt_after_a_refusal_has_a_fresh_ticket_and_the_same_cursor() {
    let house = House::open(|_| {}).await;
    let proxy = Proxy::before(house.addr).await;
    let item = house.owner.plain_item().await;
    let setup = Setup {
        pace: PACE,
        ..Setup::of(&[Scope::KitchenOrders])
    };
    let screen = Screen::start(&house.kitchen.through(proxy.addr), setup);
    commit(&house.owner, item, 1).await;
    settled(&house.owner, &screen).await;
    let before = screen.seen();

    proxy.answer_streams(&REFUSALS);
    proxy.set(Line::Cut);
    screen
        .until("the cut", |seen| seen.failed.len() > before.failed.len())
        .await;
    screen.pace(0).await;
    commit(&house.owner, item, 2).await;
    screen.pace(PACE).await;
    proxy.set(Line::Open);
    settled(&house.owner, &screen).await;

    let after = screen.seen();
    after.assert_sound();
    let attempts = &after.opened[before.opened.len()..];
    assert!(attempts.len() > REFUSALS.len(), "{attempts:?}");
    let tickets: BTreeSet<&String> = attempts.iter().map(|open| &open.ticket).collect();
    assert_eq!(tickets.len(), attempts.len(), "each ticket is fresh");
    for attempt in attempts {
        assert_eq!(attempt.cursor, before.cursor);
    }
    // Nothing of the page was taken for a frame, nothing was repeated, nothing loaded whole.
    assert_eq!(after.bad, Vec::<String>::new());
    assert_eq!(after.counters.bad_frames, 0, "{after:?}");
    assert_eq!(after.counters.duplicates, before.counters.duplicates);
    assert_eq!(after.counters.applied, before.counters.applied + 6);
    eventually("the screen is live", async || {
        screen.status().await.link == Link::Live
    })
    .await;

    // The n-th pause is between half and all of a cap that doubles: 1 s, 2 s, 4 s …
    let pauses = after.failed.iter().filter_map(|failed| {
        let next = after.tickets.iter().find(|ticket| *ticket >= failed)?;
        Some(next.since(*failed))
    });
    let pauses: Vec<i64> = pauses.collect();
    assert!(pauses.len() > REFUSALS.len(), "{pauses:?}");
    for (attempt, pause) in pauses.iter().enumerate() {
        let cap = (1_000 << attempt.min(5)).min(30_000);
        assert!(*pause >= cap / 2, "attempt {attempt}: {pauses:?}");
    }
}
