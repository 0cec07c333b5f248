//! Holds of a few lines on counted stock, asked for at a constant rate.
//!
//! Nothing waits for an answer before the next one is due, and each is timed from the moment it was
//! due: a server that falls behind is seen to. In the end every unit is given back, and counted.

mod goods;
mod press;
mod report;
mod returns;
mod storm;

use std::collections::BTreeMap;

use domain::id::StockId;
use domain::snapshot::Entities;
use domain::stock::Stock;
use domain::stream::Scope;
use serde_json::json;

use crate::api::{Api, ApiError};

pub use goods::{Goods, NoGoods};
pub use report::{HoldsReport, RateReport};
pub use storm::{NotARate, Rate};

use returns::give_back;
use storm::Storm;

/// The most that one adjustment may add.
const MOST_ADDED: i64 = 1_000_000;

/// What to ask for, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server, such as `http://127.0.0.1:3000`.
    pub url: String,
    /// Code of the store, in which nobody else works.
    pub store: String,
    /// Who does everything: an owner or a manager.
    pub staff: String,
    /// Their PIN.
    pub pin: String,
    /// Holds a second, one rate after the other.
    pub rates: Vec<Rate>,
    /// For how long each.
    pub seconds: u32,
    /// Lines of a hold.
    pub lines: usize,
    /// Each hold is given back as soon as it is had; else all of them when the last was asked for,
    /// so that holds are measured alone.
    pub at_once: bool,
}

/// Why holds could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum HoldsError {
    /// The server refused or could not be reached.
    #[error("the server did not answer as needed")]
    Api(#[from] ApiError),
    /// There is nothing to hold.
    #[error("nothing can be held")]
    Goods(#[from] NoGoods),
    /// There cannot be enough.
    #[error("{0} more units of one thing are too many to add: ask for fewer seconds")]
    TooMany(i64),
}

/// Holds `options.lines` lines at each of `options.rates`, and gives everything back.
///
/// # Errors
/// It could not be begun, or not be looked at in the end. What is refused in between is in the
/// report.
pub async fn run(options: Options) -> Result<HoldsReport, HoldsError> {
    let api = Api::login(&options.url, &options.store, &options.staff, &options.pin).await?;
    let menu = menu(&api).await?;
    let goods = Goods::choose(&menu.items, options.lines)?;
    let added = stock_up(&api, &goods, &menu.stock, &options).await?;
    let before = counts(&api, &goods).await?;
    let mut report = HoldsReport {
        lines: goods.lines().len(),
        rows: goods.units().len(),
        seconds: options.seconds,
        ..HoldsReport::default()
    };
    for rate in &options.rates {
        let storm = Storm {
            rate: *rate,
            seconds: options.seconds,
            at_once: options.at_once,
        };
        let (mut measured, open) = storm.rage(&api, &goods).await;
        give_back(&api, open, &mut measured).await;
        report.rates.push(measured);
    }
    report.failures = differences(&before, &counts(&api, &goods).await?);
    for (row, units) in added {
        adjust(&api, row, -units).await?;
    }
    Ok(report)
}

async fn menu(api: &Api) -> Result<Entities, ApiError> {
    Ok(api.snapshot::<Entities>(Scope::Menu.path()).await?.1)
}

/// On hand and held, of each row that is drawn on.
type Counts = BTreeMap<StockId, (i64, i64)>;

async fn counts(api: &Api, goods: &Goods) -> Result<Counts, ApiError> {
    let stock = menu(api).await?.stock.into_iter();
    let own = stock.filter(|row| goods.units().contains_key(&row.id));
    Ok(own.map(|row| (row.id, (row.on_hand, row.held))).collect())
}

/// Rows that are not as they were, a sentence each.
fn differences(before: &Counts, after: &Counts) -> Vec<String> {
    let told = |(on_hand, held): &(i64, i64)| format!("{on_hand} on hand, {held} held");
    let changed = before.iter().filter_map(|(row, was)| {
        let is = after.get(row);
        let now = is.map_or_else(|| "gone".to_owned(), told);
        (is != Some(was)).then(|| format!("stock {row}: {} before, {now} after", told(was)))
    });
    changed.collect()
}

/// Enough of everything for the longest storm; what was added.
async fn stock_up(
    api: &Api,
    goods: &Goods,
    stock: &[Stock],
    options: &Options,
) -> Result<Vec<(StockId, i64)>, HoldsError> {
    let most = options.rates.iter().map(|rate| rate.a_second()).max();
    let holds = i64::from(most.unwrap_or_default()) * i64::from(options.seconds);
    let lacks = |(row, units): (&StockId, &u32)| {
        let there = stock.iter().find(|stock| stock.id == *row);
        let lacks = holds * i64::from(*units) - there.map_or(0, |stock| stock.available);
        (lacks > 0).then_some((*row, lacks))
    };
    let added: Vec<_> = goods.units().iter().filter_map(lacks).collect();
    for (row, units) in &added {
        if *units > MOST_ADDED {
            return Err(HoldsError::TooMany(*units));
        }
        adjust(api, *row, *units).await?;
    }
    Ok(added)
}

async fn adjust(api: &Api, row: StockId, delta: i64) -> Result<(), ApiError> {
    let body = json!({ "delta": delta, "reason": "jumun-load" });
    let path = format!("/stock/{row}/adjust");
    api.command(&path, &body).await.map(drop)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_row_that_is_not_as_it_was_is_told_and_others_are_not() {
        let row = |n| StockId(Uuid::from_u128(n));
        let before = Counts::from([(row(1), (9, 0)), (row(2), (5, 1)), (row(3), (1, 0))]);
        assert!(differences(&before, &before).is_empty());
        let after = Counts::from([(row(1), (9, 0)), (row(2), (5, 3))]);
        let told = differences(&before, &after);
        assert_eq!(told.len(), 2);
        assert!(told[0].ends_with("5 on hand, 1 held before, 5 on hand, 3 held after"));
        assert!(told[1].ends_with("gone after"), "{told:?}");
    }
}
