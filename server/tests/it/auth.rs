//! Signing in, sessions, and what slows guessing down.

use domain::time::Time;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use server::clock::Clock;

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{PIN, Server};

const HOUR: i64 = 3_600_000;

async fn at_noon(engine: Engine) -> (Server, Clock) {
    let clock = Clock::manual(Time(1_772_334_000_000));
    (Server::on(engine, |_| {}, clock.clone()).await, clock)
}

#[rstest]
#[tokio::test]
async fn the_tiles_name_the_staff_in_the_order_of_their_roles(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let server = Server::on(engine, |_| {}, Clock::system()).await;
    let tiles = server.client().get("/api/auth/stores/one/staff").await;
    assert_eq!(tiles.status, 200);
    let roles: Vec<_> = tiles
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["role"].clone())
        .collect();
    assert_eq!(roles, ["owner", "manager", "hall", "counter", "kitchen"]);
    assert_eq!(
        tiles.json()[2],
        json!({ "staff": "hall", "name": "HALL", "role": "hall" })
    );
    assert!(!tiles.text.contains("argon2"));
    // The store's name goes with them: JSON, percent-encoded.
    let name = tiles.header("x-pos-store-name");
    assert!(
        name.starts_with("%7B%22") && name.ends_with("%22%7D"),
        "{name}"
    );
    let none = server.client().get("/api/auth/stores/nowhere/staff").await;
    assert_eq!((none.status, none.code().as_str()), (404, "NOT_FOUND"));
}

#[rstest]
#[tokio::test]
async fn a_right_pin_opens_a_session_that_only_the_server_can_read(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let server = Server::on(engine, |_| {}, Clock::system()).await;
    let client = server.client();
    assert_eq!(client.get("/api/auth/me").await.code(), "SIGNED_OUT");
    let signed_in = client.try_login("one", "kitchen", PIN).await;
    assert_eq!(signed_in.status, 200);
    let cookie = signed_in.header("set-cookie");
    assert!(cookie.starts_with("jumun_session="), "{cookie}");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    let me = client.get("/api/auth/me").await;
    assert_eq!(me.json(), signed_in.json());
    assert_eq!(me.json()["role"], "kitchen");
    assert_eq!(me.json()["storeCode"], "one");
    assert_eq!(me.json()["language"], "ko");
    assert_eq!(me.header("cache-control"), "no-store");
}

#[tokio::test]
async fn over_https_the_cookie_is_secure() {
    let server = Server::with(|config| config.https = true, Clock::system()).await;
    let signed_in = server.client().try_login("one", "hall", PIN).await;
    assert!(signed_in.header("set-cookie").contains("; Secure"));
    let hsts = signed_in.header("strict-transport-security");
    assert!(hsts.starts_with("max-age="), "{hsts}");
}

#[rstest]
#[tokio::test]
async fn wrong_pins_are_slowed_down_more_and_more_and_a_right_one_ends_it(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (server, clock) = at_noon(engine).await;
    let client = server.client();
    for delay in [1, 2, 4, 8, 16, 32, 60, 60] {
        let wrong = client.try_login("one", "hall", "0000").await;
        assert_eq!((wrong.status, wrong.code().as_str()), (401, "WRONG_PIN"));
        assert_eq!(wrong.header("retry-after"), delay.to_string());
        clock.advance(delay * 1_000 - 1);
        let early = client.try_login("one", "hall", PIN).await;
        assert_eq!(
            (early.status, early.code().as_str()),
            (429, "TOO_MANY_ATTEMPTS")
        );
        assert_eq!(early.header("retry-after"), "1");
        clock.advance(1);
    }
    assert_eq!(client.try_login("one", "hall", PIN).await.status, 200);
    let wrong = client.try_login("one", "hall", "0000").await;
    assert_eq!(wrong.header("retry-after"), "1");
}

#[rstest]
#[tokio::test]
async fn the_delay_outlives_the_process_and_binds_one_person(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (server, _clock) = at_noon(engine).await;
    server.client().try_login("one", "hall", "0000").await;
    let server = server.restart().await;
    let blocked = server.client().try_login("one", "hall", PIN).await;
    assert_eq!(blocked.code(), "TOO_MANY_ATTEMPTS");
    assert_eq!(
        server
            .client()
            .try_login("one", "kitchen", PIN)
            .await
            .status,
        200
    );
}

#[rstest]
#[tokio::test]
async fn guesses_at_the_same_moment_are_looked_at_one_by_one(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (server, _clock) = at_noon(engine).await;
    let client = server.client();
    let guess = || client.try_login("one", "hall", "0000");
    let (a, b, c) = tokio::join!(guess(), guess(), guess());
    let mut codes = [a.code(), b.code(), c.code()];
    codes.sort();
    assert_eq!(
        codes,
        ["TOO_MANY_ATTEMPTS", "TOO_MANY_ATTEMPTS", "WRONG_PIN"]
    );
}

#[rstest]
#[tokio::test]
async fn staff_that_does_not_exist_is_refused_like_a_wrong_pin(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let server = Server::on(engine, |_| {}, Clock::system()).await;
    for (store, staff) in [("one", "nobody"), ("nowhere", "hall")] {
        let refused = server.client().try_login(store, staff, PIN).await;
        assert_eq!(
            (refused.status, refused.code().as_str()),
            (401, "WRONG_PIN")
        );
    }
}

#[rstest]
#[tokio::test]
async fn a_session_lives_twelve_hours_from_its_last_use(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (server, clock) = at_noon(engine).await;
    let client = server.login("hall").await;
    for _ in 0..3 {
        clock.advance(11 * HOUR);
        assert_eq!(client.get("/api/auth/me").await.status, 200);
        renewed(&server).await;
    }
    clock.advance(12 * HOUR);
    assert_eq!(client.get("/api/auth/me").await.code(), "SIGNED_OUT");
}

/// Waits until the renewal, which no request waits for, is written.
async fn renewed(server: &Server) {
    let until = server.app.clock.now().0 + 12 * HOUR;
    loop {
        let mut tx = server.app.db.read().await.unwrap();
        let row = tx.fetch_optional::<(i64,)>("select max(expires_at) from session", []);
        if row.await.unwrap() == Some((until,)) {
            return;
        }
        tokio::task::yield_now().await;
    }
}

#[rstest]
#[tokio::test]
async fn signing_out_ends_the_session_and_not_only_the_cookie(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let server = Server::on(engine, |_| {}, Clock::system()).await;
    let client = server.client();
    let signed_in = client.try_login("one", "hall", PIN).await;
    let cookie = signed_in
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let with_cookie = || {
        let thief = server.client();
        let request = thief
            .request(Method::GET, "/api/auth/me")
            .header("cookie", &cookie);
        async move { thief.send(request).await.status }
    };
    assert_eq!(with_cookie().await, 200);
    let out = client
        .send(client.request(Method::POST, "/api/auth/logout"))
        .await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(with_cookie().await, 401);
    let again = client
        .send(client.request(Method::POST, "/api/auth/logout"))
        .await;
    assert_eq!(again.status, 204);
}

#[rstest]
#[tokio::test]
async fn a_session_survives_a_restart(#[values(Sqlite, Postgres)] engine: Engine) {
    let server = Server::on(engine, |_| {}, Clock::system()).await;
    let signed_in = server.client().try_login("one", "hall", PIN).await;
    let cookie = signed_in
        .header("set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let server = server.restart().await;
    let client = server.client();
    let request = client
        .request(Method::GET, "/api/auth/me")
        .header("cookie", cookie);
    assert_eq!(client.send(request).await.status, 200);
}
