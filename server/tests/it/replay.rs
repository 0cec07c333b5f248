//! A day of a restaurant, played as its staff would through the public API, while a kitchen and a
//! hall screen follow: nothing lost, doubled or different.

use std::path::{Path, PathBuf};

use domain::money::Currency;
use domain::text::Language;
use loadtest::orders::Day;
use loadtest::pace::Speed;
use loadtest::replay::{Options, run};
use loadtest::report::Report;
use loadtest::who::Who;
use rstest::rstest;
use server::clock::Clock;
use server::service::import::import_menu;
use server::service::opening::{PlainStore, open_store};
use tokio::sync::watch;

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::Server;

async fn play(engine: Engine, menu: &Path, orders: PathBuf, day: Day, who: Who) -> Report {
    let server = Server::on(engine, |_| {}, Clock::system()).await;
    let plain = PlainStore {
        code: "diner".to_owned(),
        name: "Diner".to_owned(),
        currency: Currency::USD,
        time_zone: "America/New_York".to_owned(),
        language: Language::En,
        tables: 8,
    };
    let new = plain.plan().unwrap();
    let pin = new.staff[0].pin.clone();
    let app = &server.app;
    open_store(&app.db, &app.clock, new).await.unwrap();
    let menu = std::fs::read(menu).unwrap();
    let imported = import_menu(&app.db, &Clock::system(), "diner", &menu, true).await;
    assert_eq!(imported.unwrap().updated, 0);
    let options = Options {
        url: format!("http://{}", server.addr),
        store: "diner".to_owned(),
        staff: "owner".to_owned(),
        pin,
        day,
        speed: Speed::AsFastAsPossible,
        file: orders,
        who,
        begun: watch::Sender::new(0),
    };
    let report = run(options).await.unwrap();
    assert!(report.is_clean(), "{}", report.json());
    report
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn an_invented_day_is_served_without_a_ticket_lost_or_doubled(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../loadtest/data");
    let report = play(
        engine,
        &data.join("short-menu.csv"),
        data.join("short-day.csv"),
        Day::All,
        Who::Staff,
    )
    .await;
    let counted = (
        report.orders,
        report.lines,
        report.refused_lines,
        report.total,
    );
    assert_eq!(counted, (12, 31, 2, 27_760));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn the_same_day_ordered_by_phone_shows_every_party_its_own_and_nothing_else(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../loadtest/data");
    let (menu, day) = (data.join("short-menu.csv"), data.join("short-day.csv"));
    let report = play(engine, &menu, day, Day::All, Who::Guests).await;
    let counted = (report.orders, report.lines, report.total);
    assert_eq!(counted, (12, 31, 27_760));
    let guests = report.guests.unwrap();
    assert_eq!((guests.parties, guests.streams), (12, 12));
    assert!(guests.events >= 12 * 5, "{guests:?}");
}

/// The busiest day of a real restaurant, where its file lies beside the checkout.
#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_real_day_is_served_without_a_ticket_lost_or_doubled(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/restaurant-orders");
    if !data.is_dir() {
        eprintln!("the real day is not on this machine; the invented one stands for it");
        return;
    }
    let day = Day::On("2023-02-01".parse().unwrap());
    let report = play(
        engine,
        &data.join("menu_items.csv"),
        data.join("orders.csv"),
        day,
        Who::Staff,
    )
    .await;
    let counted = (
        report.orders,
        report.lines,
        report.refused_lines,
        report.total,
    );
    assert_eq!(counted, (87, 186, 2, 239_635));
}
