//! The business day's cut (trial C46; realtime, section 2).

use super::House;

const HOUR: i64 = 3_600_000;

#[tokio::test]
async fn the_first_command_after_the_cut_cuts_first_and_numbers_restart() {
    let house = House::open().await;
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

#[tokio::test]
async fn after_a_long_time_there_is_one_jump_and_one_marker() {
    let house = House::open().await;
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
