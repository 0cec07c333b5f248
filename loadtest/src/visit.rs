//! One party: seated, served, gone. Each step is one press of a button, by staff or by guests.

use domain::id::{MenuId, OrderId, TableId};
use domain::money::Amount;
use domain::order::{CheckoutStage, KitchenState, Order};
use domain::snapshot::Entities;
use domain::stream::EventId;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::api::{Api, ApiError};
use crate::guest::{Guest, GuestHouse};
use crate::pace::Pace;
use crate::tables::{NoTable, Tables};

/// From the order to its payment, in the restaurant's seconds.
const PAYS_AFTER: i64 = 20;
/// From the payment until the kitchen begins.
const COOKING_AFTER: i64 = 60;
/// The shortest time in the kitchen, and how much longer it may take.
const COOKED_AFTER: (i64, i64) = (240, 600);
/// From the pass to the table.
const SERVED_AFTER: i64 = 60;
/// From the food to leaving.
const GONE_AFTER: i64 = 1_500;
/// From leaving to a clean table.
const CLEANED_AFTER: i64 = 120;

/// What a party orders.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The order's id in the file.
    pub recorded: String,
    /// One portion of each, at the menu's price.
    pub lines: Vec<(MenuId, Amount)>,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// By the server.
    pub order: OrderId,
    /// Its lines.
    pub lines: usize,
    /// As the server summed it.
    pub total: Amount,
    /// Of the last command.
    pub watermark: EventId,
}

/// Why a visit did not go as it should.
#[derive(Debug, thiserror::Error)]
pub enum VisitError {
    /// The server refused a step or could not be reached.
    #[error("the server did not do it")]
    Api(#[from] ApiError),
    /// It did something else.
    #[error("{0}")]
    Wrong(String),
    /// There is nowhere to sit.
    #[error("nowhere to sit")]
    Floor(#[from] NoTable),
}

/// What a visit needs.
#[derive(Clone, Copy, Debug)]
pub struct House<'a> {
    /// As staff.
    pub api: &'a Api,
    /// The replay's clock.
    pub pace: Pace,
    /// Free tables.
    pub tables: &'a Tables,
    /// Guests order by phone; `None`: staff does everything.
    pub guests: Option<&'a GuestHouse>,
}

impl<'a> House<'a> {
    /// Plays the visit of one party at `table`, which is given back clean.
    ///
    /// # Errors
    /// A step failed; the table stays as it is and is used no more.
    pub async fn visit(&self, table: TableId, wish: &Wish) -> Result<Served, VisitError> {
        let (table, guest) = match self.guests {
            None => (self.seat(table, wish.lines.len()).await?, None),
            Some(guests) => {
                let (table, guest) = self.join(guests, table).await?;
                (table, Some(guest))
            }
        };
        let result = self.stay(table, guest, wish).await;
        match result {
            Ok(_) => self.tables.give_back(table),
            Err(_) => self.tables.lose(),
        }
        result
    }

    /// Seats the party; at another table when somebody else was quicker.
    async fn seat(&self, mut table: TableId, covers: usize) -> Result<TableId, VisitError> {
        let body = json!({"covers": covers.clamp(1, 99)});
        loop {
            let path = format!("/tables/{table}/seat");
            match self.api.command(&path, &body).await {
                Ok(_) => return Ok(table),
                Err(error) => {
                    self.tables.lose();
                    if error.status() != Some(StatusCode::CONFLICT) {
                        return Err(error.into());
                    }
                    table = self.tables.take().await?;
                }
            }
        }
    }

    /// The party scans the table's code; another table's when somebody else was quicker.
    async fn join(
        &self,
        guests: &'a GuestHouse,
        mut table: TableId,
    ) -> Result<(TableId, Guest<'a>), VisitError> {
        loop {
            match guests.join(self.api, table).await {
                Ok(Some(guest)) => return Ok((table, guest)),
                Ok(None) => {
                    self.tables.lose();
                    table = self.tables.take().await?;
                }
                Err(error) => {
                    self.tables.lose();
                    return Err(error.into());
                }
            }
        }
    }

    async fn stay(
        &self,
        table: TableId,
        guest: Option<Guest<'a>>,
        wish: &Wish,
    ) -> Result<Served, VisitError> {
        let (id, total) = match &guest {
            None => self.order(table, wish).await.map(|it| (it.id, it.total))?,
            Some(guest) => guest.order(wish).await.map(|it| (it.id, it.total))?,
        };
        self.pace.pass(PAYS_AFTER).await;
        let confirm = format!("/hall/orders/{id}/confirm");
        let order = self.press(id, &confirm, json!({"tender": "card"})).await?;
        right(
            order.checkout_stage == CheckoutStage::Confirmed,
            "confirmed",
        )?;
        self.pace.pass(COOKING_AFTER).await;
        let advance = format!("/kitchen/orders/{id}/advance");
        let order = self.press(id, &advance, json!({"to": "cooking"})).await?;
        right(all(&order, KitchenState::Cooking), "cooking")?;
        self.pace.pass(cooking_time(&wish.recorded)).await;
        let order = self.press(id, &advance, json!({"to": "cooked"})).await?;
        right(all(&order, KitchenState::Cooked), "cooked")?;
        self.pace.pass(SERVED_AFTER).await;
        let serve = format!("/servings/{id}/serve");
        let order = self.press(id, &serve, json!({})).await?;
        right(all(&order, KitchenState::Served), "served")?;
        right(order.total == total, "as dear as it was")?;
        self.pace.pass(GONE_AFTER).await;
        if let Some(guest) = &guest {
            let call = guest.asks_for_the_bill().await?;
            self.api
                .command(&format!("{call}/accept"), &json!({}))
                .await?;
            guest.compares(id).await?;
        }
        let clear = format!("/tables/{table}/clear");
        let order = self.press(id, &clear, json!({})).await?;
        right(!order.is_open(), "closed")?;
        if let Some(guest) = guest {
            guest.leaves(id).await?;
        }
        self.pace.pass(CLEANED_AFTER).await;
        let cleaned = format!("/tables/{table}/cleaned");
        let (watermark, _) = self.api.command(&cleaned, &json!({})).await?;
        let lines = order.lines.len();
        Ok(Served {
            order: id,
            lines,
            total,
            watermark,
        })
    }

    /// Places the order and holds its lines and its total against the menu.
    async fn order(&self, table: TableId, wish: &Wish) -> Result<Order, VisitError> {
        let line = |(menu_id, _): &(MenuId, Amount)| json!({"menuId": menu_id, "quantity": 1, "optionIds": [], "note": "", "allergy": ""});
        let lines: Vec<Value> = wish.lines.iter().map(line).collect();
        let body = json!({"tableId": table, "channel": "hall", "lines": lines, "note": ""});
        let (_, answer) = self.api.command("/hall/orders", &body).await?;
        let order = the_only(answer)?;
        let asked: Vec<MenuId> = wish.lines.iter().map(|(id, _)| *id).collect();
        let got: Vec<MenuId> = order.lines.iter().map(|line| line.menu_id).collect();
        right(asked == got, "what was asked for")?;
        let expected: i64 = wish.lines.iter().map(|(_, price)| price.0).sum();
        right(order.total.0 == expected, "the sum of the menu's prices")?;
        Ok(order)
    }

    /// A command that changes the order.
    async fn press(&self, id: OrderId, path: &str, body: Value) -> Result<Order, VisitError> {
        let (_, answer) = self.api.command(path, &body).await?;
        let mut orders = answer.orders.into_iter();
        orders
            .find(|order| order.id == id)
            .ok_or_else(|| VisitError::Wrong(format!("the answer to {path} lacks the order")))
    }
}

fn the_only(answer: Entities) -> Result<Order, VisitError> {
    let count = answer.orders.len();
    let only = answer.orders.into_iter().next().filter(|_| count == 1);
    only.ok_or_else(|| VisitError::Wrong(format!("{count} orders came of one")))
}

/// # Errors
/// It does not hold.
pub(crate) fn right(holds: bool, what: &str) -> Result<(), VisitError> {
    if holds {
        return Ok(());
    }
    Err(VisitError::Wrong(format!("the order is not {what}")))
}

fn all(order: &Order, state: KitchenState) -> bool {
    let mut lines = order.live_lines();
    lines.all(|line| line.kitchen_state == state)
}

/// Differs from order to order, so that tickets overtake each other, and is the same in every
/// replay.
fn cooking_time(recorded: &str) -> i64 {
    let number = recorded.bytes().fold(7_i64, |sum, byte| {
        (sum * 31 + i64::from(byte)) % COOKED_AFTER.1
    });
    COOKED_AFTER.0 + number
}
