//! Plays a file of orders through a running server while two screens follow, and holds what the
//! screens end up with against the server.

use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::floor::TableState;
use domain::id::{MenuId, TableId};
use domain::money::Amount;
use domain::settings::Store;
use domain::snapshot::Entities;
use domain::stream::{EventId, Scope};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::api::{Api, ApiError};
use crate::compare::{self, Truth};
use crate::guest::GuestHouse;
use crate::orders::{self, Day, FileError, RecordedOrder};
use crate::pace::{Pace, Speed};
use crate::report::{Latency, Report};
use crate::screen::{Screen, View};
use crate::tables::{NoTable, Tables};
use crate::tally;
use crate::visit::{House, Served, VisitError, Wish};
use crate::who::Who;

/// A screen must have its first baseline, and in the end the last event, within this.
const SCREEN_PATIENCE: Duration = Duration::from_secs(60);
/// What the kitchen screen loads.
const KITCHEN: [Scope; 3] = [Scope::KitchenOrders, Scope::Menu, Scope::Store];

/// What to play, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server, such as `http://127.0.0.1:3000`.
    pub url: String,
    /// Code of the store.
    pub store: String,
    /// Who does everything.
    pub staff: String,
    /// Their PIN.
    pub pin: String,
    /// Which part of the file.
    pub day: Day,
    /// How fast.
    pub speed: Speed,
    /// The orders.
    pub file: PathBuf,
    /// Who seats parties and places orders.
    pub who: Who,
    /// Told how many orders have begun, for whoever waits on that.
    pub begun: watch::Sender<usize>,
}

/// Why a replay could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The server refused or could not be reached.
    #[error("the server did not answer as needed")]
    Api(#[from] ApiError),
    /// No such file, or no right to read it.
    #[error("{path} cannot be opened")]
    Open {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not one of orders.
    #[error("{path} is not a file of orders")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: FileError,
    },
    /// No row can be ordered.
    #[error("nothing to play: no row of that day names an item of the menu ({0} rows refused)")]
    Nothing(usize),
    /// Nobody can be seated.
    #[error("nobody can be seated")]
    Floor(#[from] NoTable),
    /// A screen did not come up, or stopped.
    #[error("the {0} screen does not follow")]
    Screen(&'static str),
    /// Commands of others kept coming.
    #[error("the store does not come to rest: somebody else is working in it")]
    Restless,
}

/// An error and what caused it, on one line.
#[must_use]
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// Plays `options.file`.
///
/// # Errors
/// It could not be begun, or not be compared in the end. What fails in between is in the report.
pub async fn run(options: Options) -> Result<Report, ReplayError> {
    let api = Api::login(&options.url, &options.store, &options.staff, &options.pin).await?;
    let menu = menu(&api).await?;
    let recorded = read(&options, &menu)?;
    let screens = Screens::start(&api).await?;
    let (tables, codes) = free_tables(&api).await?;
    let guests = (options.who == Who::Guests).then(|| Arc::new(GuestHouse::new(codes)));
    let floor = (Arc::new(tables), guests.clone());
    let visits = play(&api, &options, floor, &menu, &recorded.orders).await?;
    let mut report = Report {
        refused_lines: recorded.refused.len(),
        refused: recorded.refused,
        guests: guests.map(|guests| guests.report()),
        ..Report::default()
    };
    let served = add_visits(visits, &mut report);
    screens.judge(&api, served, &mut report).await?;
    Ok(report)
}

/// The menu by code.
type Menu = HashMap<String, (MenuId, Amount)>;

async fn menu(api: &Api) -> Result<Menu, ApiError> {
    let (_, menu) = api.snapshot::<Entities>(Scope::Menu.path()).await?;
    let items = menu.items.into_iter();
    Ok(items
        .map(|item| (item.code, (item.id, item.price)))
        .collect())
}

fn read(options: &Options, menu: &Menu) -> Result<orders::Recorded, ReplayError> {
    let path = || options.file.clone();
    let file = File::open(&options.file).map_err(|source| ReplayError::Open {
        path: path(),
        source,
    })?;
    let known = |code: &str| menu.contains_key(code);
    let recorded = orders::read(file, options.day, known).map_err(|source| ReplayError::File {
        path: path(),
        source,
    })?;
    if recorded.orders.is_empty() {
        return Err(ReplayError::Nothing(recorded.refused.len()));
    }
    Ok(recorded)
}

/// The code of each table.
type Codes = HashMap<TableId, String>;

/// The tables nobody sits at, dirty ones cleaned.
async fn free_tables(api: &Api) -> Result<(Tables, Codes), ReplayError> {
    let (_, floor) = api.snapshot::<Entities>(Scope::Tables.path()).await?;
    let mut free: Vec<TableId> = Vec::new();
    let mut codes = Codes::new();
    for table in floor.tables {
        codes.insert(table.id, table.code);
        match table.state {
            TableState::Free => free.push(table.id),
            TableState::Dirty => {
                let path = format!("/tables/{}/cleaned", table.id);
                api.command(&path, &json!({})).await?;
                free.push(table.id);
            }
            TableState::Seated => {}
        }
    }
    if free.is_empty() {
        return Err(NoTable.into());
    }
    Ok((Tables::new(free), codes))
}

/// A visit by the order's id in the file.
type Visits = Vec<(String, Result<Served, VisitError>)>;

/// Plays every order at its time; as many at once as there are tables.
async fn play(
    api: &Api,
    options: &Options,
    (tables, guests): (Arc<Tables>, Option<Arc<GuestHouse>>),
    menu: &Menu,
    orders: &[RecordedOrder],
) -> Result<Visits, ReplayError> {
    let mut under_way = JoinSet::new();
    let Some(first) = orders.first() else {
        return Ok(Visits::new());
    };
    let pace = Pace::new(options.speed, first.at, Instant::now());
    for order in orders {
        pace.reach(order.at).await;
        let table = tables.take().await?;
        let codes = order.items.iter();
        let wish = Wish {
            recorded: order.id.clone(),
            lines: codes.filter_map(|code| menu.get(code).copied()).collect(),
        };
        let (api, tables, guests) = (api.clone(), Arc::clone(&tables), guests.clone());
        under_way.spawn(async move {
            let house = House {
                api: &api,
                pace,
                tables: &tables,
                guests: guests.as_deref(),
            };
            let result = house.visit(table, &wish).await;
            (wish.recorded, result)
        });
        options.begun.send_modify(|begun| *begun += 1);
    }
    Ok(under_way.join_all().await)
}

/// Counts what was served, and names what failed.
fn add_visits(visits: Visits, report: &mut Report) -> Vec<Served> {
    let mut all = Vec::new();
    for (recorded, result) in visits {
        match result {
            Ok(served) => {
                report.orders += 1;
                report.lines += served.lines;
                report.total += served.total.0;
                all.push(served);
            }
            Err(error) => report
                .failures
                .push(format!("order {recorded}: {}", with_causes(&error))),
        }
    }
    all
}

struct Screens {
    kitchen: Screen,
    hall: Screen,
}

impl Screens {
    /// Both screens, each with its first baseline.
    async fn start(api: &Api) -> Result<Self, ReplayError> {
        let (_, settings) = api.snapshot::<Store>(Scope::Store.path()).await?;
        let station = settings.default_station();
        let name = station.map(|station| format!("kitchen:{station}"));
        let screens = Self {
            kitchen: Screen::start(api.clone(), &KITCHEN, name),
            hall: Screen::start(api.clone(), &Scope::ALL, None),
        };
        for (name, screen) in screens.both() {
            if !screen.reaches(SCREEN_PATIENCE, |at| at.based).await {
                return Err(ReplayError::Screen(name));
            }
        }
        Ok(screens)
    }

    fn both(&self) -> [(&'static str, &Screen); 2] {
        [("kitchen", &self.kitchen), ("hall", &self.hall)]
    }

    /// Waits until both screens are where the server is, and compares.
    async fn judge(
        &self,
        api: &Api,
        served: Vec<Served>,
        report: &mut Report,
    ) -> Result<(), ReplayError> {
        let (truth, kitchen, hall) = self.at_rest(api).await?;
        report.events.kitchen = kitchen.density.received;
        report.events.hall = hall.density.received;
        let mut latency = tally::latency();
        for (name, view) in [("kitchen", &kitchen), ("hall", &hall)] {
            report.holes += view.counters.holes + view.density.skipped;
            report.duplicates += view.density.repeated + view.applied_twice;
            let differences = truth.differences(&view.store);
            report.differences += differences.len();
            let differences = differences.into_iter();
            report
                .failures
                .extend(differences.map(|what| format!("{name} screen: {what}")));
            if view.density.unreadable > 0 {
                let count = view.density.unreadable;
                let what = format!("{name} screen: {count} frames could not be read");
                report.failures.push(what);
            }
            // Both have the same bounds.
            let _ = latency.add(&view.latency);
        }
        report.latency_ms = Latency::of(&latency);
        report.failures.extend(lost(&truth, &served));
        Ok(())
    }

    /// One moment of the server at which both screens stand.
    async fn at_rest(&self, api: &Api) -> Result<(Truth, View, View), ReplayError> {
        let until = Instant::now() + SCREEN_PATIENCE;
        loop {
            let truth = compare::truth(api).await?.ok_or(ReplayError::Restless)?;
            let target = truth.watermark;
            for (name, screen) in self.both() {
                let there = |cursor: EventId| cursor >= target;
                if !screen
                    .reaches(SCREEN_PATIENCE, |at| at.based && there(at.cursor))
                    .await
                {
                    return Err(ReplayError::Screen(name));
                }
            }
            let kitchen = self.kitchen.look().await;
            let kitchen = kitchen.ok_or(ReplayError::Screen("kitchen"))?;
            let hall = self.hall.look().await.ok_or(ReplayError::Screen("hall"))?;
            if kitchen.cursor == target && hall.cursor == target {
                return Ok((truth, kitchen, hall));
            }
            if Instant::now() > until {
                return Err(ReplayError::Restless);
            }
        }
    }
}

/// Orders that are not gone although their party is, and answered commands the server has
/// forgotten.
fn lost(truth: &Truth, served: &[Served]) -> Vec<String> {
    let mut found = Vec::new();
    let open = truth.scope(Scope::HallOrders).into_iter();
    let open: Vec<_> = open.flat_map(|scope| &scope.orders).collect();
    for served in served {
        let order = served.order;
        if open.iter().any(|open| open.id == order) {
            found.push(format!("order {order} was closed and is open again"));
        }
        if served
            .watermark
            .partial_cmp(&truth.watermark)
            .is_none_or(|order| order.is_gt())
        {
            let at = served.watermark;
            found.push(format!(
                "order {order}: the server has forgotten event {at}"
            ));
        }
    }
    found
}
