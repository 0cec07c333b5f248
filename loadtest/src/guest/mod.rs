//! Parties that order with their phones: each joins by its table's code, orders and calls with
//! its token, and follows its own stream, which is held against its page.

mod phone;
mod screen;
mod tally;

pub use phone::Phone;
pub use screen::{GuestScreen, GuestSeen};
pub use tally::{GuestReport, GuestTally};

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::call::CallReason;
use domain::guest::GuestOrder;
use domain::id::{MenuId, OrderId, TableId};
use reqwest::StatusCode;
use serde_json::json;

use crate::api::{Api, ApiError};
use crate::visit::{VisitError, Wish, right};

/// A phone must show what the server has within this.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where guests join, and what became of those who did.
#[derive(Debug)]
pub struct GuestHouse {
    codes: HashMap<TableId, String>,
    tally: Mutex<GuestTally>,
}

impl GuestHouse {
    /// A house with these codes on its tables.
    #[must_use]
    pub fn new(codes: HashMap<TableId, String>) -> Self {
        Self {
            codes,
            tally: Mutex::default(),
        }
    }

    /// What was counted so far.
    #[must_use]
    pub fn report(&self) -> GuestReport {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.report()
    }

    /// A phone scans the table's code and opens its page; `None`: others sit there already.
    ///
    /// # Errors
    /// The server refuses it or cannot be reached.
    pub async fn join(&self, api: &Api, table: TableId) -> Result<Option<Guest<'_>>, ApiError> {
        let code = self.codes.get(&table).map_or("", String::as_str);
        let phone = Phone::join(api, code).await?;
        let (_, page) = phone.page().await?;
        if !page.orders.is_empty() {
            return Ok(None);
        }
        let screen = GuestScreen::start(phone.clone());
        Ok(Some(Guest {
            house: self,
            phone,
            screen,
        }))
    }
}

/// A party with a phone and its page.
#[derive(Debug)]
pub struct Guest<'a> {
    house: &'a GuestHouse,
    phone: Phone,
    screen: GuestScreen,
}

impl Guest<'_> {
    /// Orders, and holds lines and total against the menu.
    ///
    /// # Errors
    /// The server refuses it, or answers something else than was asked for.
    pub async fn order(&self, wish: &Wish) -> Result<GuestOrder, VisitError> {
        let lines: Vec<_> = wish
            .lines
            .iter()
            .map(|(menu_id, _)| json!({"menuId": menu_id, "quantity": 1, "optionIds": [], "note": "", "allergy": ""}))
            .collect();
        let placed = self
            .phone
            .order(&json!({"lines": lines, "note": ""}))
            .await?;
        let [order] = <[GuestOrder; 1]>::try_from(placed)
            .map_err(|all| VisitError::Wrong(format!("{} orders came of one", all.len())))?;
        let asked: Vec<MenuId> = wish.lines.iter().map(|(id, _)| *id).collect();
        let got: Vec<MenuId> = order.lines.iter().map(|line| line.menu_id).collect();
        right(asked == got, "what was asked for")?;
        let expected: i64 = wish.lines.iter().map(|(_, price)| price.0).sum();
        right(order.total.0 == expected, "the sum of the menu's prices")?;
        Ok(order)
    }

    /// Asks for the bill; the call's path for staff.
    ///
    /// # Errors
    /// The server refuses it, or answers with no call.
    pub async fn asks_for_the_bill(&self) -> Result<String, VisitError> {
        let calls = self.phone.call(CallReason::Bill).await?;
        let call = calls.first().map(|call| format!("/calls/{}", call.id));
        call.ok_or_else(|| VisitError::Wrong("a call made no call".to_owned()))
    }

    /// Waits until the page shows what the server has, `order` among it, and counts how much it
    /// still differs when it never does.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn compares(&self, order: OrderId) -> Result<(), VisitError> {
        let (_, truth) = self.phone.page().await?;
        let own = truth.orders.iter().any(|own| own.id == order);
        right(own && truth.orders.len() == 1, "the only one of its party")?;
        let same = |seen: &GuestSeen| seen.differences(&truth).is_empty();
        if self.screen.reaches(PATIENCE, same).await {
            return Ok(());
        }
        let differences = self.screen.seen().differences(&truth);
        self.count(|tally| tally.differences += differences.len());
        Err(VisitError::Wrong(format!(
            "the page differs: {}",
            differences.join("; ")
        )))
    }

    /// The party was cleared: its page says so, its token is dead, and it has seen nothing but
    /// `order`.
    ///
    /// # Errors
    /// One of these does not hold.
    pub async fn leaves(self, order: OrderId) -> Result<(), VisitError> {
        let told = self.screen.reaches(PATIENCE, |seen| seen.cleared).await;
        let seen = self.screen.seen();
        let own = BTreeSet::from([order]);
        let foreign = seen.orders_seen.difference(&own).count();
        self.count(|tally| tally.add(&seen, foreign));
        let wrong = |what: &str| Err(VisitError::Wrong(what.to_owned()));
        if !told {
            return wrong("nobody told the guests that their party was cleared");
        }
        if foreign > 0 {
            return wrong("a phone saw the order of another party");
        }
        match self.phone.page_once().await {
            Err(error) if error.status() == Some(StatusCode::CONFLICT) => Ok(()),
            Err(error) => Err(error.into()),
            Ok(_) => wrong("the token of a cleared party opens a page"),
        }
    }

    fn count(&self, how: impl FnOnce(&mut GuestTally)) {
        let tally = self.house.tally.lock();
        how(&mut tally.unwrap_or_else(PoisonError::into_inner));
    }
}
