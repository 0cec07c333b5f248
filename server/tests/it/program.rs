//! The program as an operator meets it.

use std::time::Duration;

use futures_util::StreamExt as _;
use reqwest::Method;
use rstest::rstest;

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Place, Process, jumun};

#[test]
fn shapes_that_are_not_supported_are_refused_at_start_with_the_reason() {
    for (arguments, reason) in [
        (
            ["--database-url", "postgres://u:secret@h/db"],
            "needs --redis-url too",
        ),
        (
            ["--redis-url", "redis://:secret@h"],
            "does not go with SQLite",
        ),
        (
            ["--database-url", "mysql://u:secret@h/db"],
            "use sqlite:FILE or postgres://",
        ),
    ] {
        let refused = jumun(&["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .output()
            .unwrap();
        let told = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success());
        assert!(told.contains(reason), "{told}");
        assert!(!told.contains("secret"), "{told}");
    }
}

#[test]
fn a_database_that_cannot_be_reached_is_told_without_its_password() {
    for (address, reason) in [
        ("postgres://u:secret@127.0.0.1:1/db", "cannot be used"),
        ("postgres://u:secret@h:x/db", "not usable"),
    ] {
        let failed = jumun(&["outbox", "--database-url", address]).output();
        let failed = failed.unwrap();
        let told = String::from_utf8(failed.stderr).unwrap();
        assert!(!failed.status.success());
        assert!(told.contains(reason), "{told}");
        assert!(!told.contains("secret"), "{told}");
    }
}

#[rstest]
#[tokio::test]
async fn on_sigterm_streams_are_sent_home_and_the_process_ends_well_within_five_seconds(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let place = Place::on(engine).await;
    let process = Process::serve(&place).await;
    let client = process.client();
    let signed_in = client.try_login("demo", "kitchen", "5000").await;
    let me = signed_in.json();
    let below = format!("/api/pos/{}/notifications", me["storeId"].as_str().unwrap());
    let ticket = client.get(&format!("{below}/ticket")).await.json();
    let path = format!(
        "{below}/subscribe?ticket={}",
        ticket["ticket"].as_str().unwrap()
    );
    let stream = client.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(stream.status(), 200);
    let leaving = tokio::task::spawn_blocking(move || process.terminate());
    let mut text = String::new();
    let mut chunks = stream.bytes_stream();
    while let Some(Ok(chunk)) = chunks.next().await {
        text.push_str(&String::from_utf8_lossy(&chunk));
    }
    assert!(text.contains("event: ready"), "{text}");
    assert!(text.contains("event: drain"), "{text}");
    let (status, after) = leaving.await.unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(after < Duration::from_secs(5), "{after:?}");
}
