//! What is true for every route: problems, limits, headers, compression, patience.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::response::IntoResponse;
use futures_util::StreamExt as _;
use futures_util::stream;
use http::header::CONTENT_TYPE;
use reqwest::Method;
use serde_json::{Value, json};
use server::clock::Clock;
use server::http::extract::JsonBody;
use server::http::table::{Access, Row};

use crate::support::{PIN, Server};

fn anyone<H, T>(method: http::Method, path: &'static str, handler: H) -> Row
where
    H: axum::handler::Handler<T, server::http::App>,
    T: 'static,
{
    Row::new(method, path, Access::Anyone, handler)
}

#[tokio::test]
async fn an_unknown_path_of_the_api_is_a_json_404_and_an_unknown_method_a_405() {
    let server = Server::start().await;
    let client = server.client();
    for path in ["/api", "/api/", "/api/nothing", "/api/pos/x/y/z/a/b"] {
        let answer = client.get(path).await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (404, "NOT_FOUND"),
            "{path}"
        );
    }
    let answer = client
        .send(client.request(Method::DELETE, "/api/auth/me"))
        .await;
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (405, "METHOD_NOT_ALLOWED")
    );
    assert!(answer.header("allow").contains("GET"));
}

#[tokio::test]
async fn a_body_over_64_kib_is_413_announced_or_not() {
    let server = Server::start().await;
    let client = server.client();
    let login =
        |pin: String| json!({ "storeCode": "one", "staff": "hall", "pin": pin }).to_string();
    let frame = login(String::new()).len();
    let fits = login("9".repeat(64 * 1024 - frame));
    let over = login("9".repeat(64 * 1024 - frame + 1));
    let post = |body: reqwest::Body| client.request(Method::POST, "/api/auth/login").body(body);
    let unannounced = |text: &str| {
        let chunks: Vec<_> = text.as_bytes().chunks(1_000).map(<[u8]>::to_vec).collect();
        reqwest::Body::wrap_stream(stream::iter(chunks.into_iter().map(Ok::<_, Infallible>)))
    };
    let answer = client.send(post(fits.clone().into())).await;
    assert_eq!(answer.code(), "WRONG_PIN");
    for body in [over.clone().into(), unannounced(&over)] {
        let answer = client.send(post(body)).await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (413, "BODY_TOO_LARGE")
        );
    }
}

#[tokio::test]
async fn a_field_that_is_wrong_is_named() {
    let server = Server::start().await;
    let client = server.client();
    let login = |body: Value| {
        let request = client.request(Method::POST, "/api/auth/login").json(&body);
        client.send(request)
    };
    let unknown =
        login(json!({ "storeCode": "one", "staff": "hall", "pin": PIN, "role": "owner" })).await;
    assert_eq!(
        (unknown.status, unknown.code().as_str()),
        (422, "UNKNOWN_FIELD")
    );
    assert_eq!(unknown.json()["errors"][0]["field"], "role");
    assert_eq!(unknown.json()["status"], 422);
    let number = login(json!({ "storeCode": "one", "staff": "hall", "pin": 1234 })).await;
    assert_eq!((number.status, number.code().as_str()), (422, "VALIDATION"));
    assert_eq!(number.json()["errors"][0]["field"], "pin");
    let missing = login(json!({ "storeCode": "one", "staff": "hall" })).await;
    assert_eq!(missing.json()["errors"][0]["field"], "pin");
    assert_eq!(missing.json()["errors"][0]["code"], "REQUIRED");
}

#[tokio::test]
async fn a_command_needs_a_printable_key_of_at_most_128_characters() {
    let server = Server::start().await;
    let client = server.login("owner").await;
    let me = client.get("/api/auth/me").await.json();
    let path = format!(
        "/api/pos/{}/tables/{}/cleaned",
        me["storeId"].as_str().unwrap(),
        uuid::Uuid::nil()
    );
    let without = client.send(client.request(Method::POST, &path)).await;
    assert_eq!(
        (without.status, without.code().as_str()),
        (422, "IDEMPOTENCY_KEY_REQUIRED")
    );
    for (key, code) in [
        ("k".repeat(129), "VALIDATION"),
        ("키".to_owned(), "VALIDATION"),
        (String::new(), "VALIDATION"),
        ("k".repeat(128), "NOT_FOUND"),
    ] {
        let answer = client.post_keyed(&path, &key, json!({})).await;
        assert_eq!(answer.code(), code, "{key}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_page_of_another_site_can_command_nothing() {
    let server = Server::start().await;
    let client = server.client();
    let own = format!("http://{}", server.addr);
    let login = json!({ "storeCode": "one", "staff": "hall", "pin": PIN });
    for (name, value, may) in [
        ("sec-fetch-site", "cross-site", false),
        ("sec-fetch-site", "same-site", false),
        ("origin", "https://evil.example", false),
        ("origin", "null", false),
        ("sec-fetch-site", "same-origin", true),
        ("origin", own.as_str(), true),
        ("x-no-browser", "1", true),
    ] {
        let request = client.request(Method::POST, "/api/auth/login");
        let answer = client.send(request.header(name, value).json(&login)).await;
        assert_eq!(
            answer.status == 200,
            may,
            "{name}: {value}: {}",
            answer.text
        );
        if !may {
            assert_eq!((answer.status, answer.code().as_str()), (403, "FORBIDDEN"));
        }
    }
}

#[tokio::test]
async fn every_answer_carries_the_headers_that_protect_it() {
    let server = Server::start().await;
    let client = server.client();
    for path in ["/healthz", "/api/nothing", "/login", "/pkg/nothing.js"] {
        let answer = client.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        assert!(
            answer
                .header("content-security-policy")
                .contains("frame-ancestors 'none'")
        );
        assert!(!answer.header("permissions-policy").is_empty());
        assert!(!answer.header("x-request-id").is_empty());
        assert_eq!(answer.header("strict-transport-security"), "");
    }
}

/// Trial C52, server side: a panic is an answer, and the server lives on.
#[tokio::test]
async fn a_panic_is_a_problem_without_internals() {
    async fn fails() -> &'static str {
        panic!("secret of the house")
    }
    let server = Server::start().await;
    let client = server
        .serve_rows(vec![anyone(http::Method::GET, "/api/fails", fails)])
        .await;
    let answer = client.get("/api/fails").await;
    assert_eq!((answer.status, answer.code().as_str()), (500, "INTERNAL"));
    assert!(!answer.text.contains("secret"), "{}", answer.text);
    assert_eq!(client.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_panic_in_a_command_is_a_problem_too() {
    async fn fails(app: axum::extract::State<server::http::App>) -> &'static str {
        app.carry_out(async { panic!("secret of the house") }).await
    }
    let server = Server::start().await;
    let client = server
        .serve_rows(vec![anyone(http::Method::GET, "/api/fails", fails)])
        .await;
    let answer = client.get("/api/fails").await;
    assert_eq!((answer.status, answer.code().as_str()), (500, "INTERNAL"));
}

/// An event each 100 ms, for ever; the first at once.
async fn events() -> impl IntoResponse {
    let events = stream::unfold(0_u64, |n| async move {
        if n > 0 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let event = Bytes::from(format!("event: beat\ndata: {n}\n\n"));
        Some((Ok::<_, Infallible>(event), n + 1))
    });
    let media = [(CONTENT_TYPE, "text/event-stream")];
    (media, Body::from_stream(events))
}

/// Trial C22: the timeout is for answers, and a stream is none.
#[tokio::test]
async fn a_slow_answer_is_503_and_a_stream_outlives_every_timeout() {
    async fn never() -> &'static str {
        std::future::pending().await
    }
    let server = Server::with(|config| config.request_timeout_ms = 300, Clock::system()).await;
    let client = server
        .serve_rows(vec![
            anyone(http::Method::GET, "/api/never", never),
            anyone(http::Method::GET, "/api/events", events).stream(),
        ])
        .await;
    let answer = client.get("/api/never").await;
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (503, "UNAVAILABLE")
    );
    let response = client
        .request(Method::GET, "/api/events")
        .send()
        .await
        .unwrap();
    let mut chunks = response.bytes_stream();
    // Ten events take three times as long as an answer may.
    for _ in 0..10 {
        chunks.next().await.unwrap().unwrap();
    }
}

/// Trial C16: a compressor would hold events back until it has a block.
#[tokio::test]
async fn streams_are_never_compressed_and_long_answers_are() {
    async fn long() -> Json<Vec<&'static str>> {
        Json(vec!["조리 대기"; 500])
    }
    let server = Server::start().await;
    let client = server
        .serve_rows(vec![
            anyone(http::Method::GET, "/api/long", long),
            anyone(http::Method::GET, "/api/events", events).stream(),
        ])
        .await;
    for encoding in ["br", "gzip"] {
        let ask = |path| {
            client
                .request(Method::GET, path)
                .header("accept-encoding", encoding)
        };
        let long = ask("/api/long").send().await.unwrap();
        assert_eq!(long.headers()["content-encoding"], encoding);
        assert!(long.bytes().await.unwrap().len() < 1_000);
        let events = ask("/api/events").send().await.unwrap();
        assert!(!events.headers().contains_key("content-encoding"));
        let first = events.bytes_stream().next().await.unwrap().unwrap();
        assert_eq!(first, "event: beat\ndata: 0\n\n");
    }
}

#[tokio::test]
async fn a_body_that_nobody_sends_is_given_up() {
    async fn takes(JsonBody(body): JsonBody<Value>) -> String {
        body.to_string()
    }
    let server = Server::with(|config| config.request_timeout_ms = 200, Clock::system()).await;
    let client = server
        .serve_rows(vec![anyone(http::Method::POST, "/api/takes", takes)])
        .await;
    let silence = reqwest::Body::wrap_stream(stream::pending::<Result<Bytes, Infallible>>());
    let answer = client
        .send(client.request(Method::POST, "/api/takes").body(silence))
        .await;
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (503, "UNAVAILABLE")
    );
}
