//! The business day's cut (trial C46; realtime, section 2).

use domain::text::Language;
use domain::time::Time;
use rstest::rstest;
use serde_json::json;
use server::clock::Clock;
use server::service::import::import_menu;
use server::service::opening::{PlainStore, open_store};

use super::House;
use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::Server;

const HOUR: i64 = 3_600_000;

#[rstest]
#[tokio::test]
async fn the_first_command_after_the_cut_cuts_first_and_numbers_restart(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    assert_eq!(house.order("A-1", 1).await["number"], 1);
    let before = house.seq().await;
    // Midnight changes nothing; the cut at 05:00 does.
    house.clock.advance(12 * HOUR + 1);
    let house = House::of(house.server, house.clock).await;
    let late = house.order("A-2", 1).await;
    assert_eq!(
        (late["number"].as_i64(), late["businessDay"].as_str()),
        (Some(2), Some("2026-03-01"))
    );
    house.clock.advance(5 * HOUR);
    let house = House::of(house.server, house.clock).await;
    let order = house.order("A-3", 1).await;
    assert_eq!(
        (order["number"].as_i64(), order["businessDay"].as_str()),
        (Some(1), Some("2026-03-02"))
    );
    let events = house.events_after(before).await;
    assert_eq!(
        events,
        [
            "TABLE_CHANGED",
            "HALL_PAYMENT",
            "RELOAD_REQUIRED",
            "TABLE_CHANGED",
            "HALL_PAYMENT"
        ]
    );
    let store = house.get("/store").await.json();
    assert_eq!(store["businessDay"], "2026-03-02");
    assert_eq!(
        house.get("/reports/today").await.json()["awaitingPayment"]["orders"],
        1
    );
}

#[rstest]
#[tokio::test]
async fn after_a_long_time_there_is_one_jump_and_one_marker(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = House::on(engine).await;
    let before = house.seq().await;
    house.clock.advance(10 * 24 * HOUR);
    let (first, second) = tokio::join!(
        house.server.app.services.cut_days(),
        house.server.app.services.cut_days()
    );
    first.unwrap();
    second.unwrap();
    assert_eq!(house.events_after(before).await, ["RELOAD_REQUIRED"]);
    let house = House::of(house.server, house.clock).await;
    assert_eq!(
        house.get("/store").await.json()["businessDay"],
        "2026-03-11"
    );
}

/// A store with one dish for 10.00 in its currency, at a table of its own, as of `start`.
async fn diner(engine: Engine, zone: &str, currency: &str, start: &str) -> House {
    let clock = Clock::manual(at(start));
    let server = Server::on(engine, |_| {}, clock.clone()).await;
    let plain = PlainStore {
        code: "diner".to_owned(),
        name: "Diner".to_owned(),
        currency: currency.to_owned().try_into().unwrap(),
        time_zone: zone.to_owned(),
        language: Language::En,
        tables: 4,
    };
    let new = plain.plan().unwrap();
    let pin = new.staff[0].pin.clone();
    let app = &server.app;
    open_store(&app.db, &app.clock, new).await.unwrap();
    let menu = b"menu_item_id,item_name,category,price\n117,Rice,Sides,10\n";
    import_menu(&app.db, &clock, "diner", menu, true)
        .await
        .unwrap();
    sign_in(server, clock, &pin).await
}

async fn sign_in(server: Server, clock: Clock, pin: &str) -> House {
    let owner = server.client();
    let me = owner.try_login("diner", "owner", pin).await.json();
    let path = format!("/api/pos/{}", me["storeId"].as_str().unwrap());
    House {
        server,
        owner,
        clock,
        path,
    }
}

fn at(text: &str) -> Time {
    Time(text.parse::<jiff::Timestamp>().unwrap().as_millisecond())
}

impl House {
    /// The clock shows this time.
    fn comes(&self, time: &str) {
        self.clock.advance(at(time).0 - self.clock.now().0);
    }

    /// Somebody takes away some rice and pays; its number, its day, and today's sales after it.
    async fn sells(&self, portions: i64) -> (i64, String, (i64, i64)) {
        let rice = self.item("117").await["id"].clone();
        let body = json!({
            "channel": "takeout",
            "lines": [{ "menuId": rice, "quantity": portions }],
        });
        let order = self.done("/hall/orders", body).await["orders"][0].clone();
        let paid = self.confirm(&order).await;
        let today = self.get("/reports/today").await.json();
        assert_eq!(today["businessDay"], paid["businessDay"]);
        let sum = |name: &str| today["sales"][name].as_i64().unwrap();
        (
            paid["number"].as_i64().unwrap(),
            paid["businessDay"].as_str().unwrap().to_owned(),
            (sum("orders"), sum("total")),
        )
    }

    fn sold(number: i64, day: &str, sales: (i64, i64)) -> (i64, String, (i64, i64)) {
        (number, day.to_owned(), sales)
    }
}

/// Trial C46 in Seoul, by a server in UTC: midnight is the same day, 04:59:59.999 too, and at
/// 05:00 the next begins, with number 1 and sales of its own.
#[rstest]
#[tokio::test]
async fn in_seoul_the_day_of_the_sales_ends_at_five(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = diner(engine, "Asia/Seoul", "KRW", "2026-02-28T14:00:00Z").await;
    house.comes("2026-02-28T15:00:00Z");
    assert_eq!(house.sells(1).await, House::sold(1, "2026-02-28", (1, 10)));
    house.comes("2026-02-28T19:59:59.999Z");
    assert_eq!(house.sells(2).await, House::sold(2, "2026-02-28", (2, 30)));
    house.comes("2026-02-28T20:00:00Z");
    assert_eq!(house.sells(4).await, House::sold(1, "2026-03-01", (1, 40)));
    // 30 and 40 are the 70 that were sold.
}

/// Trial C46 in New York, over the night of 23 hours: 04:59:59 is already summer time.
#[rstest]
#[tokio::test]
async fn in_new_york_a_day_of_twenty_three_hours_ends_at_five(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = diner(engine, "America/New_York", "USD", "2026-03-07T21:00:00Z").await;
    let store = house.get("/store").await.json();
    assert_eq!(
        (&store["businessDay"], &store["nextCutAt"]),
        (&json!("2026-03-07"), &json!(at("2026-03-08T09:00:00Z")))
    );
    let hours = (at("2026-03-08T09:00:00Z").0 - at("2026-03-07T10:00:00Z").0) / HOUR;
    assert_eq!(hours, 23, "from 05:00 to 05:00");
    assert_eq!(
        house.sells(1).await,
        House::sold(1, "2026-03-07", (1, 1_000))
    );
    house.comes("2026-03-08T08:59:59Z");
    assert_eq!(
        house.sells(2).await,
        House::sold(2, "2026-03-07", (2, 3_000))
    );
    house.comes("2026-03-08T09:00:00Z");
    assert_eq!(
        house.sells(4).await,
        House::sold(1, "2026-03-08", (1, 4_000))
    );
}
