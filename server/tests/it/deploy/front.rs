//! `deploy/nginx.conf` in front of real nodes.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use server::clock::Clock;
use server::config::Config;
use tokio::time::Instant;

use super::file;
use crate::commands::{House, NOON, RICE, seq};
use crate::hub::reading::Reader;
use crate::screens::eventually;
use crate::support::{Client, Engine, Nginx, Server};

/// The configuration with the nodes at these addresses.
fn before(nodes: [SocketAddr; 2]) -> String {
    let mut config = file("deploy/nginx.conf");
    for (name, addr) in ["node-1:3000", "node-2:3000"].iter().zip(nodes) {
        assert!(config.contains(name), "{name}");
        config = config.replace(name, &addr.to_string());
    }
    config
}

fn settings(config: &mut Config) {
    config.demo = true;
    config.trusted_proxy = vec!["127.0.0.1/32".parse().unwrap()];
}

async fn house(engine: Engine) -> House {
    let clock = Clock::manual(NOON);
    House::of(Server::on(engine, settings, clock.clone()).await, clock).await
}

async fn subscribe(client: &Client, path: &str) -> Reader {
    let below = format!("{path}/notifications");
    let ticket = client.get(&format!("{below}/ticket")).await.json();
    let ticket = ticket["ticket"].as_str().unwrap();
    let path = format!("{below}/subscribe?ticket={ticket}");
    let answer = client.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(answer.headers().get("content-encoding").is_none());
    let mut reader = Reader::answer(answer);
    reader.ready().await;
    reader
}

#[test]
fn nginx_would_start_with_it() {
    let loopback = |port| SocketAddr::from(([127, 0, 0, 1], port));
    let told = Nginx::check(&before([loopback(3001), loopback(3002)]));
    assert!(told.status.success(), "{told:?}");
}

#[test]
fn its_nodes_are_those_of_the_deployment_and_its_patience_is_above_any_heartbeat() {
    let config = file("deploy/nginx.conf");
    let compose: serde_json::Value = serde_saphyr::from_str(&file("deploy/compose.yaml")).unwrap();
    let nodes = config.lines().filter_map(|line| {
        let node = line.trim().strip_prefix("server node")?;
        Some(format!("node{}", node.split(':').next()?))
    });
    let nodes: BTreeSet<String> = nodes.collect();
    assert_eq!(nodes.len(), 2);
    for node in nodes {
        assert!(compose["services"].get(&node).is_some(), "{node}");
    }
    let patience = config
        .lines()
        .find_map(|line| line.trim().strip_prefix("proxy_read_timeout "))
        .and_then(|text| text.strip_suffix("s;"))
        .and_then(|text| text.parse::<u64>().ok());
    // The longest that a node can be told to.
    assert!(patience > Some(60));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_of_staff_and_guests_pass_at_once_and_no_log_shows_a_ticket() {
    let house = house(Engine::Sqlite).await;
    let nginx = Nginx::start(&before([house.server.addr; 2])).await;
    let client = Client::new(nginx.addr);
    assert_eq!(client.try_login("demo", "owner", "1000").await.status, 200);
    let mut reader = subscribe(&client, &house.path).await;
    let phone = crate::guest::Phone::at(&house, "a1")
        .await
        .through(nginx.addr);
    let mut guest = phone.stream().await;
    let seated = reader.next_but_beats().await.unwrap();

    // A browser names where the page came from, and is of this site by its Host.
    let path = format!("{}/hall/orders", house.path);
    let body = json!({
        "channel": "takeout",
        "lines": [{ "menuId": house.item(RICE).await["id"], "quantity": 1 }],
    });
    let request = client.request(Method::POST, &path).json(&body);
    let request = request
        .header("idempotency-key", "one")
        .header("origin", format!("http://{}", nginx.addr));
    let done = client.send(request).await;
    assert_eq!(done.status, 201, "{}", done.text);
    let committed = Instant::now();
    let event = reader.next_but_beats().await.unwrap();
    assert_eq!(event.id.unwrap().seq, seq(&done));
    assert_eq!(event.id.unwrap().seq, seated.id.unwrap().seq + 1);
    let ordered = phone.orders(&house, 1).await;
    let event = guest.next_but_beats().await.unwrap();
    assert!(
        event
            .data
            .to_string()
            .contains(ordered["id"].as_str().unwrap())
    );
    assert!(committed.elapsed() < Duration::from_secs(2));

    drop((reader, guest));
    let streams = || house.server.app.hub.streams_open();
    eventually("both are gone", async || streams() == 0).await;
    eventually("the log has them", async || {
        nginx.log("access.log").contains("/notifications/subscribe")
    })
    .await;
    for log in ["access.log", "error.log"] {
        assert!(!nginx.log(log).contains("ticket="), "{}", nginx.log(log));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_has_one_address_whatever_it_writes() {
    let house = house(Engine::Sqlite).await;
    let nginx = Nginx::start(&before([house.server.addr; 2])).await;
    let client = Client::new(nginx.addr);
    let mut refused = false;
    for n in 0..60 {
        let request = client.request(Method::POST, "/api/guest/demo-a1/join");
        let request = request.header("x-forwarded-for", format!("192.0.2.{n}"));
        refused |= client.send(request.json(&json!({}))).await.status == 429;
    }
    assert!(refused);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_leaves_takes_no_command_and_no_screen_with_it() {
    let house = house(Engine::Postgres).await;
    let second = house.server.beside(settings).await;
    let nginx = Nginx::start(&before([house.server.addr, second.addr])).await;
    let client = Client::new(nginx.addr);
    assert_eq!(client.try_login("demo", "owner", "1000").await.status, 200);
    let mut readers = Vec::new();
    for _ in 0..4 {
        readers.push(subscribe(&client, &house.path).await);
    }
    let both = [&house.server, &second].map(|server| server.app.hub.streams_open());
    assert_eq!(both, [2, 2], "streams are spread");

    let item = house.item(RICE).await["id"].clone();
    let order = async |n: usize| {
        let line = json!([{ "menuId": item, "quantity": 1 }]);
        let body = json!({ "channel": "takeout", "lines": line });
        let path = format!("{}/hall/orders", house.path);
        client.post_keyed(&path, &n.to_string(), body).await.status
    };
    let leaving = tokio::spawn(second.stop());
    for n in 0..40 {
        assert_eq!(order(n).await, 201);
    }
    leaving.await.unwrap().unwrap();
    for n in 40..50 {
        assert_eq!(order(n).await, 201);
    }
    // Whoever lost its stream gets one at the node that is there.
    for _ in 0..3 {
        subscribe(&client, &house.path).await;
    }
    let errors = nginx.log("error.log");
    assert!(errors.contains("refused"), "the other was not tried");
    assert!(!errors.contains("ticket="), "{errors}");
}
