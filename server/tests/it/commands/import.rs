//! `jumun store add` and `jumun import`, as the operator calls them.

use std::process::Output;

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{self, Place};

fn jumun(place: &Place, arguments: &[&str]) -> Output {
    let command = &mut support::jumun(arguments);
    command.args(place.database()).output().unwrap()
}

fn add(place: &Place, code: &str) -> Output {
    let zone = "America/New_York";
    let arguments = [
        "store",
        "add",
        code,
        "--name",
        "Diner",
        "--currency",
        "USD",
        "--time-zone",
        zone,
        "--language",
        "en",
        "--tables",
        "16",
    ];
    jumun(place, &arguments)
}

fn import(place: &Place, text: &str) -> Output {
    let file = place.folder().join("menu.csv");
    std::fs::write(&file, text).unwrap();
    jumun(
        place,
        &["import", "--store", "diner", file.to_str().unwrap()],
    )
}

const HEADER: &str = "menu_item_id,item_name,category,price\n";

#[rstest]
#[tokio::test]
async fn a_store_is_added_with_its_staff_and_told_once(#[values(Sqlite, Postgres)] engine: Engine) {
    let place = Place::on(engine).await;
    let added = add(&place, "diner");
    assert!(added.status.success(), "{added:?}");
    let told: Value = serde_json::from_slice(&added.stdout).unwrap();
    assert_eq!(told["storeCode"], "diner");
    let staff = told["staff"].as_array().unwrap();
    let logins: Vec<&str> = staff
        .iter()
        .map(|member| member["staff"].as_str().unwrap())
        .collect();
    assert_eq!(logins, ["owner", "manager", "hall", "counter", "kitchen"]);
    assert!(
        staff
            .iter()
            .all(|member| member["pin"].as_str().unwrap().len() == 6)
    );
    let again = add(&place, "diner");
    assert!(!again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("there is a store `diner` already"));
    let odd = add(&place, "Diner 2");
    assert!(String::from_utf8_lossy(&odd.stderr).contains("not a store code"));
}

#[rstest]
#[tokio::test]
async fn bad_rows_are_named_with_their_lines_and_nothing_is_half_imported(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let place = Place::on(engine).await;
    assert!(add(&place, "diner").status.success());
    let bad = format!(
        "{HEADER}101,Hamburger,American,12.95\n102,,American,1\n101,Twice,American,2\n103,Free,American,free\n"
    );
    let refused = import(&place, &bad);
    assert!(!refused.status.success());
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    for part in [
        "line 3: the name is empty",
        "line 4: the code `101`",
        "line 5: the price",
    ] {
        assert!(words.contains(part), "{words}");
    }
    let good = format!("{HEADER}101,Hamburger,American,12.95\n102,Taco,Mexican,9.00\n");
    let done = import(&place, &good);
    let counted: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(
        counted,
        serde_json::json!({ "added": 2, "updated": 0, "categories": 2 })
    );
    let again = import(&place, &good.replace("9.00", "9.50"));
    let counted: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(
        counted,
        serde_json::json!({ "added": 0, "updated": 2, "categories": 0 })
    );
    let outbox = jumun(&place, &["outbox"]);
    let told = String::from_utf8_lossy(&outbox.stdout).into_owned();
    match engine {
        Sqlite => assert_eq!(told.trim(), "every event is published"),
        // A relay of the nodes puts them in the log that they share.
        Postgres => {
            let told: Value = serde_json::from_str(&told).unwrap();
            assert_eq!(
                (&told["store"], &told["unpublished"]),
                (&json!("diner"), &json!(2))
            );
        }
    }
    let nowhere = jumun(
        &place,
        &[
            "import",
            "--store",
            "nowhere",
            place.folder().join("menu.csv").to_str().unwrap(),
        ],
    );
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("there is no store `nowhere`"));
}
