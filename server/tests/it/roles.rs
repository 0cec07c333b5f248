//! The route table against the specification: who may use what.

use std::collections::BTreeSet;

use domain::id::StoreId;
use domain::staff::Role;
use reqwest::Method;
use serde_json::json;
use server::http::table::{Access, Row, rows};
use uuid::Uuid;

use crate::support::{Answer, Client, Server, add_restaurant};

/// Domain, "Endpoints and roles", word for word: H hall, C counter, K kitchen, M owner and
/// manager alone, S whoever is signed in, A anybody. A stream is opened by its ticket, which
/// only H, C and K get; without one it is 401, whoever asks (realtime, section 5).
const SPECIFIED: &str = "
    GET /store HCK
    GET /hall/orders HCK
    GET /kitchen/orders HCK
    GET /payments HCK
    GET /servings HCK
    GET /calls HCK
    GET /tables HCK
    GET /menu HCK
    GET /kitchen/recent HCK
    GET /notifications/ticket HCK
    GET /notifications/subscribe A
    GET /notifications/changes HCK
    POST /notifications/ack HCK
    POST /hall/orders HC
    POST /hall/orders/{}/lines HC
    POST /hall/orders/{}/confirm HC
    POST /hall/orders/{}/reject HC
    POST /hall/orders/{}/note HC
    POST /hall/orders/{}/lines/{}/note HC
    POST /hall/orders/{}/lines/{}/void HC
    POST /hall/orders/{}/move-lines HC
    POST /kitchen/orders/{}/advance K
    POST /kitchen/orders/{}/recall HCK
    POST /kitchen/orders/{}/priority HK
    POST /kitchen/orders/{}/voids/ack HK
    POST /servings/{}/serve HC
    POST /calls/{}/accept HC
    POST /calls/{}/done HC
    POST /tables/{}/seat HC
    POST /tables/{}/covers HC
    POST /tables/{}/clear HC
    POST /tables/{}/cleaned HC
    POST /tables/{}/bill HC
    POST /tables/{}/transfer HC
    POST /tables/{}/join HC
    POST /tables/{}/unjoin HC
    GET /refunds/due M
    POST /menu/{}/sold-out HCK
    GET /reports/today C
    POST /reservations/batch HC
    POST /reservations/{}/finalize HC
    PATCH /reservations/{} HC
    GET /reservations/{} HC
    GET /reservations M
    POST /reservations/{}/release M
    POST /stock/{}/adjust M
    POST /refunds/{}/settle M
    GET /api/auth/stores/{}/staff A
    POST /api/auth/login A
    POST /api/auth/logout A
    GET /api/auth/me S
    POST /api/guest/{}/join A
    GET /api/guest G
    POST /api/guest/orders G
    POST /api/guest/calls G
    POST /api/guest/reservations/batch G
    GET /api/guest/reservations/{} G
    PATCH /api/guest/reservations/{} G
    POST /api/guest/reservations/{}/release G
    GET /api/guest/ticket G
    GET /api/guest/events A
";

fn specified() -> BTreeSet<String> {
    let lines = SPECIFIED.trim().lines().map(str::trim);
    lines
        .map(|line| match line.split_once(" /api/") {
            Some(_) => line.to_owned(),
            None => line.replacen(" /", " /api/pos/{}/", 1),
        })
        .collect()
}

/// A row in the same words.
fn told(row: &Row) -> String {
    let letter = |role: &Role| match role {
        Role::Hall => "H",
        Role::Counter => "C",
        Role::Kitchen => "K",
        Role::Owner | Role::Manager => "",
    };
    let who = match row.access {
        Access::Anyone => "A".to_owned(),
        Access::SignedIn => "S".to_owned(),
        Access::Guest => "G".to_owned(),
        Access::Roles([]) => "M".to_owned(),
        Access::Roles(roles) => roles.iter().map(letter).collect(),
    };
    let nameless = |part| if is_parameter(part) { "{}" } else { part };
    let path: Vec<&str> = row.path.split('/').map(nameless).collect();
    format!("{} {} {who}", row.method, path.join("/"))
}

fn is_parameter(part: &str) -> bool {
    part.starts_with('{')
}

#[test]
fn every_route_is_specified_and_everything_specified_has_its_route() {
    let built: BTreeSet<String> = rows().iter().map(told).collect();
    let unspecified: Vec<_> = built.difference(&specified()).cloned().collect();
    assert!(unspecified.is_empty(), "not specified: {unspecified:#?}");
    let missing: Vec<_> = specified().difference(&built).cloned().collect();
    assert!(missing.is_empty(), "no route: {missing:#?}");
}

/// The row's path in this store, with ids of nothing.
fn path(row: &Row, store: StoreId) -> String {
    let part = |part: &str| match part {
        "{storeId}" => store.to_string(),
        _ if is_parameter(part) => Uuid::now_v7().to_string(),
        _ => part.to_owned(),
    };
    row.path.split('/').map(part).collect::<Vec<_>>().join("/")
}

async fn ask(client: &Client, row: &Row, store: StoreId) -> Answer {
    let method = Method::from_bytes(row.method.as_str().as_bytes()).unwrap();
    let mut request = client
        .request(method.clone(), &path(row, store))
        .header("idempotency-key", Uuid::now_v7().to_string());
    if method == Method::POST || method == Method::PATCH {
        request = request.json(&json!({}));
    }
    client.send(request).await
}

async fn store_of(client: &Client) -> StoreId {
    let me = client.get("/api/auth/me").await.json();
    serde_json::from_value(me["storeId"].clone()).unwrap()
}

#[tokio::test]
async fn without_a_session_every_guarded_route_is_401() {
    let server = Server::start().await;
    let store = store_of(&server.login("owner").await).await;
    let nobody = server.client();
    for row in rows()
        .iter()
        .filter(|row| !matches!(row.access, Access::Anyone))
    {
        let answer = ask(&nobody, row, store).await;
        assert_eq!(answer.status, 401, "{} {}", row.method, row.path);
        assert_eq!(answer.code(), "SIGNED_OUT");
    }
}

#[tokio::test]
async fn each_role_that_a_row_does_not_list_is_403_and_each_other_is_not() {
    let server = Server::start().await;
    for role in Role::ALL {
        let client = server.login(role.name()).await;
        let store = store_of(&client).await;
        for row in rows() {
            let Access::Roles(roles) = row.access else {
                continue;
            };
            let answer = ask(&client, &row, store).await;
            let may = role.manages() || roles.contains(&role);
            let place = format!("{} {} as {}", row.method, row.path, role.name());
            assert_eq!(answer.status != 403, may, "{place}: {}", answer.text);
            assert!(answer.status < 500, "{place}: {}", answer.text);
            if !may {
                assert_eq!(answer.code(), "FORBIDDEN", "{place}");
            }
        }
    }
}

#[tokio::test]
async fn another_store_is_404_and_never_403() {
    let server = Server::start().await;
    let other = add_restaurant(&server.app, "other").await;
    for role in ["owner", "kitchen"] {
        let client = server.login(role).await;
        for row in rows()
            .iter()
            .filter(|row| matches!(row.access, Access::Roles(_)))
        {
            let answer = ask(&client, row, other).await;
            assert_eq!(answer.status, 404, "{} {}", row.method, row.path);
            assert_eq!(answer.code(), "NOT_FOUND");
        }
    }
}

#[tokio::test]
async fn what_is_no_id_is_404() {
    let server = Server::start().await;
    let client = server.login("owner").await;
    let store = store_of(&client).await;
    let no_store = client.get("/api/pos/7/store").await;
    let no_order = client
        .post(&format!("/api/pos/{store}/servings/7/serve"), json!({}))
        .await;
    for answer in [no_store, no_order] {
        assert_eq!((answer.status, answer.code().as_str()), (404, "NOT_FOUND"));
    }
}
