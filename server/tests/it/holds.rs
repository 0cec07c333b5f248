//! Holds at a constant rate, as `jumun-load` asks for them: all are had, and every unit is back.

use loadtest::holds::{Options, run};
use rstest::rstest;
use server::clock::Clock;

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::Server;

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn holds_at_a_constant_rate_are_all_had_and_given_back(
    #[values(Sqlite, Postgres)] engine: Engine,
    #[values(false, true)] at_once: bool,
) {
    let server = Server::on(engine, |config| config.demo = true, Clock::system()).await;
    let options = Options {
        url: format!("http://{}", server.addr),
        store: "demo".to_owned(),
        staff: "owner".to_owned(),
        pin: "1000".to_owned(),
        rates: vec!["5".parse().unwrap(), "20".parse().unwrap()],
        seconds: 1,
        lines: 5,
        at_once,
    };
    let report = run(options).await.unwrap();
    assert!(report.is_clean(), "{}", report.json());
    assert_eq!((report.lines, report.rows), (5, 4));
    let had: Vec<_> = report
        .rates
        .iter()
        .map(|rate| rate.statuses["201"])
        .collect();
    let back: Vec<_> = report.rates.iter().map(|rate| rate.returned).collect();
    assert_eq!((had, back), (vec![5, 20], vec![5, 20]));
    let none = report.rates.iter().all(|rate| rate.return_ms.is_none());
    assert_eq!(none, !at_once);
    // Nothing is left of it, but in the ledger.
    let app = &server.app;
    let gauges = app.services.watch().await.unwrap();
    assert_eq!((gauges.open, gauges.units), (0, 0));
    let drift = server::service::stock::stock_verify(&app.db).await.unwrap();
    assert!(drift.is_empty(), "{drift:?}");
    let owner = server.client();
    let me = owner.try_login("demo", "owner", "1000").await.json();
    let menu = format!("/api/pos/{}/menu", me["storeId"].as_str().unwrap());
    let menu = owner.get(&menu).await.json();
    let rows = menu["stock"].as_array().unwrap().iter();
    let mut on_hand: Vec<_> = rows.map(|row| row["onHand"].as_i64().unwrap()).collect();
    on_hand.sort_unstable();
    assert_eq!(on_hand, [8, 20, 30, 40]);
}
