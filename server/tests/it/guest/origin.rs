//! Limits by address, behind a proxy and without one.

use reqwest::Method;
use serde_json::json;
use server::clock::Clock;
use server::config::Config;

use crate::commands::{House, NOON};
use crate::support::{Answer, Server};

async fn house(change: fn(&mut Config)) -> House {
    let clock = Clock::manual(NOON);
    House::of(Server::with(change, clock.clone()).await, clock).await
}

/// Scans table A-1; a header tells from where.
async fn scan(house: &House, told: &str) -> Answer {
    let client = house.server.client();
    let request = client.request(Method::POST, "/api/guest/demo-a1/join");
    let request = request.header("x-forwarded-for", told).json(&json!({}));
    client.send(request).await
}

/// More scans of one table than one address may make; how many were refused.
async fn refused(house: &House, told: impl Fn(usize) -> String) -> usize {
    let mut refused = 0;
    for n in 0..60 {
        let answer = scan(house, &told(n)).await;
        match answer.status {
            200 => {}
            429 => refused += 1,
            other => panic!("{other}: {}", answer.text),
        }
    }
    refused
}

#[tokio::test]
async fn whoever_reaches_the_server_gets_no_addresses_by_naming_them() {
    let house = house(|config| config.demo = true).await;
    let refused = refused(&house, |n| format!("192.0.2.{n}")).await;
    assert!(refused > 0);
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_guest_has_an_own_address() {
    let house = house(|config| {
        config.demo = true;
        config.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    assert_eq!(refused(&house, |n| format!("192.0.2.{n}")).await, 0);
    // One guest has one, whatever it says in front of what the proxy adds.
    let tale = |n: usize| format!("198.51.100.{n}, 203.0.113.1");
    assert!(refused(&house, tale).await > 0);
    assert_eq!(scan(&house, "203.0.113.2").await.status, 200);
}
