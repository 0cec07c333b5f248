//! A party's token reaches nothing else, and staff reaches nothing of guests.

use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use server::http::table::{Access, rows};
use uuid::Uuid;

use super::{Phone, open, open_on};
use crate::commands::refused;
use crate::support::Engine::{self, Postgres, Sqlite};

fn path(pattern: &str, store: &str) -> String {
    let part = |part: &str| match part {
        "{storeId}" => store.to_owned(),
        _ if part.starts_with('{') => Uuid::now_v7().to_string(),
        _ => part.to_owned(),
    };
    pattern.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn a_partys_token_opens_its_own_routes_and_no_route_of_staff() {
    let house = open().await;
    let phone = Phone::at(&house, "a1").await;
    let store = house.path.rsplit('/').next().unwrap();
    for row in rows() {
        let method = Method::from_bytes(row.method.as_str().as_bytes()).unwrap();
        let request = phone
            .client
            .request(method.clone(), &path(row.path, store))
            .header("idempotency-key", Uuid::now_v7().to_string());
        let request = match method {
            Method::POST => request.json(&json!({})),
            _ => request,
        };
        let answer = phone.client.send(request.bearer_auth(&phone.token)).await;
        let place = format!("{} {}: {}", row.method, row.path, answer.text);
        match row.access {
            Access::SignedIn | Access::Roles(_) => {
                assert_eq!(refused(&answer), (401, "SIGNED_OUT".to_owned()), "{place}");
            }
            // 404: a hold of nobody.
            Access::Guest => assert!([200, 404, 422].contains(&answer.status), "{place}"),
            Access::Anyone => assert!(answer.status < 500, "{place}"),
        }
    }
}

#[tokio::test]
async fn nobody_of_the_staff_reaches_a_route_of_guests() {
    let house = open().await;
    let guests = rows().into_iter().filter(|row| row.access == Access::Guest);
    let guests: Vec<_> = guests.collect();
    assert_eq!(guests.len(), 8);
    for row in guests {
        let method = Method::from_bytes(row.method.as_str().as_bytes()).unwrap();
        let answer = house
            .owner
            .send(house.owner.request(method, row.path))
            .await;
        assert_eq!(
            refused(&answer),
            (401, "SIGNED_OUT".to_owned()),
            "{}",
            row.path
        );
    }
}

#[rstest]
#[tokio::test]
async fn a_token_that_nobody_knows_is_signed_out(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    for token in ["", "abc", &"0".repeat(64), &phone.token[1..], &phone.party] {
        let phone = Phone {
            token: token.to_owned(),
            ..phone.clone()
        };
        let answer = phone.get("").await;
        assert_eq!(refused(&answer), (401, "SIGNED_OUT".to_owned()), "{token}");
    }
    let request = phone.client.request(Method::GET, "/api/guest");
    let basic = request.header("authorization", format!("Basic {}", phone.token));
    assert_eq!(phone.client.send(basic).await.status, 401);
}

#[rstest]
#[tokio::test]
async fn the_database_has_no_token_and_no_ticket_that_could_be_shown(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let house = open_on(engine).await;
    let phone = Phone::at(&house, "a1").await;
    let ticket = phone.ticket().await;
    #[derive(sqlx::FromRow)]
    struct Found {
        found: i64,
    }
    let mut tx = house.server.app.db.read().await.unwrap();
    let sql = "select count(*) as found from guest_token, guest_ticket \
        where guest_token.token_hash = $1 or guest_ticket.ticket_hash = $2";
    let values: [server::db::Value; 2] = [phone.token.as_str().into(), ticket.as_str().into()];
    let row = tx.fetch_optional::<Found>(sql, values).await.unwrap();
    assert_eq!(row.unwrap().found, 0);
}
