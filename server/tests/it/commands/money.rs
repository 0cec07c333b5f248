//! Currencies without decimals, with two and with three (trial C44).

use domain::money::Currency;
use domain::text::Language;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use server::clock::Clock;
use server::service::import::{ImportError, import_menu};
use server::service::opening::{PlainStore, open_store};

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::{Client, Server};

struct Shop {
    server: Server,
    code: &'static str,
    pin: String,
    table: String,
}

impl Shop {
    async fn open(engine: Engine, code: &'static str, currency: &str) -> Self {
        let server = Server::on(engine, |_| {}, Clock::system()).await;
        let plain = PlainStore {
            code: code.to_owned(),
            name: "Shop".to_owned(),
            currency: currency.to_owned().try_into().unwrap(),
            time_zone: "Asia/Seoul".to_owned(),
            language: Language::En,
            tables: 1,
        };
        let new = plain.plan().unwrap();
        let (pin, table) = (new.staff[0].pin.clone(), new.zones[0].1[0].code.clone());
        let app = &server.app;
        open_store(&app.db, &app.clock, new).await.unwrap();
        Self {
            server,
            code,
            pin,
            table,
        }
    }

    async fn import(&self, price: &str) -> Result<(), ImportError> {
        let menu = format!("menu_item_id,item_name,category,price\n1,Tea,Drinks,{price}\n");
        let app = &self.server.app;
        let done = import_menu(&app.db, &app.clock, self.code, menu.as_bytes(), true).await;
        done.map(|_| ())
    }

    /// A guest orders three; what the guest and the counter see of it, paid.
    async fn sells_three(&self) -> (Value, Value, Value) {
        let phone = self.server.client();
        let path = format!("/api/guest/{}/join", self.table);
        let join = phone.request(Method::POST, &path).json(&json!({}));
        let joined = phone.send(join).await.json();
        let token = joined["token"].as_str().unwrap();
        let page = phone.request(Method::GET, "/api/guest").bearer_auth(token);
        let page = phone.send(page).await.json();
        let body = json!({ "lines": [{ "menuId": page["items"][0]["id"], "quantity": 3 }] });
        let order = phone.request(Method::POST, "/api/guest/orders");
        let order = order.bearer_auth(token).header("idempotency-key", "k");
        let order = phone.send(order.json(&body)).await.json()["orders"][0].clone();
        let owner: Client = self.server.client();
        let me = owner.try_login(self.code, "owner", &self.pin).await.json();
        let store = format!("/api/pos/{}", me["storeId"].as_str().unwrap());
        let confirm = format!(
            "{store}/hall/orders/{}/confirm",
            order["id"].as_str().unwrap()
        );
        let paid = owner.post(&confirm, json!({ "tender": "cash" })).await;
        assert_eq!(paid.status, 200, "{}", paid.text);
        let today = owner.get(&format!("{store}/reports/today")).await.json();
        (page, order, today)
    }
}

/// Trial C44: the amount travels as an integer of the currency's minor units from the
/// spreadsheet to the guest, the queue and the report, and is shown with its decimals.
#[rstest]
#[case("krw", "KRW", "9900", 9_900, "₩9,900", "₩29,700")]
#[case("jpy", "JPY", "80", 80, "¥80", "¥240")]
#[case("usd", "USD", "12.34", 1_234, "$12.34", "$37.02")]
#[case("kwd", "KWD", "1.234", 1_234, "KWD 1.234", "KWD 3.702")]
#[tokio::test]
async fn amounts_are_integers_of_the_currencys_minor_units(
    #[values(Sqlite, Postgres)] engine: Engine,
    #[case] code: &'static str,
    #[case] currency: &str,
    #[case] price: &str,
    #[case] minor: i64,
    #[case] shown: &str,
    #[case] three: &str,
) {
    let shop = Shop::open(engine, code, currency).await;
    shop.import(price).await.unwrap();
    let (page, order, today) = shop.sells_three().await;
    assert_eq!(page["store"]["currency"], currency);
    assert_eq!(page["items"][0]["price"], json!(minor));
    assert_eq!(
        (&order["currency"], &order["total"]),
        (&json!(currency), &json!(minor * 3))
    );
    assert_eq!(order["lines"][0]["unitPrice"], json!(minor));
    assert_eq!(
        (&today["currency"], &today["sales"]["total"]),
        (&json!(currency), &json!(minor * 3))
    );
    let currency = Currency::try_from(currency.to_owned()).unwrap();
    let words = |amount: &Value| {
        let amount = serde_json::from_value(amount.clone()).unwrap();
        currency.format(amount)
    };
    assert_eq!(words(&page["items"][0]["price"]), shown);
    assert_eq!(words(&order["total"]), three);
}

/// Trial C44: half a won is refused with its line, not rounded, and nothing is imported.
#[rstest]
#[case("krw", "KRW", "9900.5")]
#[case("jpy", "JPY", "80.5")]
#[case("kwd", "KWD", "1.2345")]
#[case("eur", "EUR", "\"9,900.5\"")]
#[tokio::test]
async fn a_price_finer_than_the_currency_is_refused(
    #[values(Sqlite, Postgres)] engine: Engine,
    #[case] code: &'static str,
    #[case] currency: &str,
    #[case] price: &str,
) {
    let shop = Shop::open(engine, code, currency).await;
    let refused = shop.import(price).await.unwrap_err();
    assert!(refused.to_string().contains("line 2"), "{refused}");
    shop.import("7").await.unwrap();
}
