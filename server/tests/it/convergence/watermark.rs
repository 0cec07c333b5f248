//! A negative control: with the watermark read after the data, screens lose orders.

use std::sync::{Arc, Mutex};

use domain::stream::Scope;
use server::service::{Guards, Hook};
use uuid::Uuid;

use crate::screens::{House, Screen, Setup, Staff, differences, settled, truth};

const SCOPES: [Scope; 1] = [Scope::HallOrders];

type Guest = Arc<Mutex<Option<(Staff, Uuid)>>>;

/// A house in which a guest orders once while a snapshot is read, before its watermark is.
async fn house(watermark_with_data: bool) -> (House, Guest) {
    let guest = Guest::default();
    let hook: Hook = {
        let guest = Arc::clone(&guest);
        Arc::new(move || {
            let guest = guest.lock().unwrap().take();
            Box::pin(async move {
                if let Some((staff, item)) = guest {
                    staff.orders(item, "in between").await;
                }
            })
        })
    };
    let guards = Guards {
        watermark_with_data,
        between_reads: Some(hook),
        ..Guards::default()
    };
    let house = House::late(
        |_| {},
        |mut app| {
            app.services = app.services.with_guards(guards);
            app
        },
    )
    .await;
    (house, guest)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watermark_read_after_the_data_loses_what_was_committed_in_between() {
    let (house, guest) = house(false).await;
    let item = house.owner.plain_item().await;
    *guest.lock().unwrap() = Some((house.owner.clone(), item));
    let screen = Screen::start(&house.kitchen, Setup::of(&SCOPES));
    screen.until("a baseline", |seen| seen.based).await;
    screen.rests().await;
    let (head, server) = truth(&house.owner, &SCOPES).await;
    let (store, seen) = screen.look().await;
    assert_eq!(
        seen.cursor, head,
        "the screen believes that it has everything"
    );
    assert_eq!(server.orders(Scope::HallOrders).count(), 1);
    assert_eq!(differences(&store, &server).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_the_watermark_of_the_data_nothing_committed_in_between_is_lost() {
    let (house, _) = house(true).await;
    let item = house.owner.plain_item().await;
    let placing = {
        let owner = house.owner.clone();
        tokio::spawn(async move {
            for _ in 0..12 {
                owner.orders(item, "meanwhile").await;
            }
        })
    };
    let mut screens = Vec::new();
    while !placing.is_finished() {
        screens.push(Screen::start(&house.kitchen, Setup::of(&SCOPES)));
        let opened = screens.last().unwrap();
        opened.until("a baseline", |seen| seen.based).await;
    }
    placing.await.unwrap();
    for screen in &screens {
        settled(&house.owner, screen).await;
        screen.rests().await;
        screen.seen().assert_sound();
    }
}
