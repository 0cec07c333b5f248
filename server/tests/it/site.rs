//! The built client, pages, health, and leaving.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use server::clock::Clock;
use server::telemetry;
use tokio::net::TcpListener;

use crate::support::{Client, Server};

/// A server over a client that was built.
async fn built() -> Server {
    Server::with(
        |config| {
            let pkg = config.site_dir.join("pkg");
            fs::create_dir_all(&pkg).unwrap();
            let wasm = b"\0asm\x01\0\0\0".repeat(300);
            fs::write(pkg.join("app-1.wasm"), &wasm).unwrap();
            fs::write(pkg.join("app-1.wasm.br"), b"brotli").unwrap();
            fs::write(pkg.join("app-1.js"), "export {}").unwrap();
            fs::write(config.site_dir.join("icon.svg"), "<svg/>").unwrap();
            let part = |name| (name, json!({"js": format!("/pkg/{name}-1.js"), "wasm": format!("/pkg/{name}-1.wasm")}));
            let parts: BTreeMap<_, _> = ["house", "floor", "guest"].map(part).into();
            let manifest = json!({"parts": parts, "css": "/pkg/app-1.css", "build": "b1"});
            fs::write(config.site_dir.join("manifest.json"), manifest.to_string()).unwrap();
        },
        Clock::system(),
    )
    .await
}

#[tokio::test]
async fn a_page_is_rendered_with_the_files_of_this_build_under_a_strict_policy() {
    let server = built().await;
    let pages = [
        ("/", "house"),
        ("/login", "house"),
        ("/one/kitchen", "house"),
        ("/one/hall", "floor"),
        ("/one/counter", "floor"),
        ("/t/one-a1", "guest"),
    ];
    for (path, part) in pages {
        let page = server.client().get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(page.header("cache-control"), "no-cache");
        assert!(page.header("content-type").starts_with("text/html"));
        let module = format!("/pkg/{part}-1.js");
        assert!(page.text.contains(&module), "{}", page.text);
        let policy = page.header("content-security-policy");
        let nonce = policy
            .split("'nonce-")
            .nth(1)
            .unwrap()
            .split('\'')
            .next()
            .unwrap();
        assert!(nonce.len() >= 16, "{policy}");
        assert!(
            page.text.contains(&format!("nonce=\"{nonce}\"")),
            "{}",
            page.text
        );
        assert!(policy.contains("'wasm-unsafe-eval'"), "{policy}");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
    }
}

#[tokio::test]
async fn no_two_pages_share_a_nonce() {
    let server = built().await;
    let first = server.client().get("/login").await;
    let second = server.client().get("/login").await;
    let policy = "content-security-policy";
    assert_ne!(first.header(policy), second.header(policy));
}

/// Trial C50: a file that is not there is 404 and never a page.
#[tokio::test]
async fn files_have_their_types_and_a_missing_one_is_no_page() {
    let server = built().await;
    let client = server.client();
    let wasm = client.get("/pkg/app-1.wasm").await;
    assert_eq!(wasm.header("content-type"), "application/wasm");
    assert!(wasm.header("cache-control").contains("immutable"));
    assert_eq!(wasm.header("content-encoding"), "");
    let request = client.request(reqwest::Method::GET, "/pkg/app-1.wasm");
    let small = client.send(request.header("accept-encoding", "br")).await;
    assert_eq!(small.header("content-encoding"), "br");
    assert_eq!(small.header("content-type"), "application/wasm");
    assert_eq!(small.text, "brotli");
    assert!(
        client
            .get("/icon.svg")
            .await
            .header("content-type")
            .contains("svg")
    );
    for path in [
        "/pkg/app-2.wasm",
        "/pkg/app-2.js",
        "/pkg/",
        "/pkg/../manifest.json",
        "/nothing.png",
    ] {
        let missing = client.get(path).await;
        assert!(!missing.header("content-type").contains("html"), "{path}");
        assert!(
            !missing.header("cache-control").contains("immutable"),
            "{path}"
        );
    }
    assert_eq!(client.get("/pkg/app-2.wasm").await.status, 404);
}

#[tokio::test]
async fn an_unknown_page_says_so_with_404() {
    let server = built().await;
    let page = server.client().get("/no/such/page").await;
    assert_eq!(page.status, 404);
    assert!(page.header("content-type").starts_with("text/html"));
}

#[tokio::test]
async fn without_a_built_client_a_page_says_how_to_build_it() {
    let server = Server::start().await;
    let page = server.client().get("/login").await;
    assert_eq!(page.status, 503);
    assert!(page.text.contains("cargo xtask"), "{}", page.text);
}

#[tokio::test]
async fn health_is_about_the_process_and_readiness_about_what_it_needs() {
    let server = Server::start().await;
    let client = server.client();
    assert_eq!(client.get("/healthz").await.text, "ok");
    let ready = client.get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["ready"]), (200, &true.into()));
    server.app.db.close().await;
    let unready = client.get("/readyz").await;
    assert_eq!(unready.status, 503);
    assert_eq!(unready.json()["database"], false);
    assert_eq!(client.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn told_to_leave_the_server_waits_for_commands_and_is_gone_within_five_seconds() {
    let server = Server::start().await;
    let client = server.login("hall").await;
    assert_eq!(client.get("/readyz").await.status, 200);
    let (done, told) = tokio::sync::oneshot::channel();
    server.app.tasks.spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let _ = done.send(());
    });
    let begun = Instant::now();
    server.stop().await.unwrap();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    told.await.unwrap();
    assert!(
        client
            .request(reqwest::Method::GET, "/healthz")
            .send()
            .await
            .is_err()
    );
}

#[tokio::test]
async fn metrics_are_on_a_listener_of_their_own() {
    let server = Server::start().await;
    assert_eq!(server.client().get("/healthz").await.status, 200);
    assert_ne!(server.client().get("/metrics").await.status, 200);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(listener.local_addr().unwrap());
    let handle = telemetry::metrics().unwrap();
    let serving = telemetry::serve_metrics(listener, handle, server.shutdown.clone());
    let serving = tokio::spawn(serving);
    let metrics = client.get("/metrics").await;
    assert_eq!(metrics.status, 200);
    let counted = "http_requests_total{method=\"GET\",route=\"/healthz\",status=\"200\"}";
    assert!(metrics.text.contains(counted), "{}", metrics.text);
    server.stop().await.unwrap();
    serving.await.unwrap().unwrap();
}
