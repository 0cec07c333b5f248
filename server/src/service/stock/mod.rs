//! Holds on stock: taken, sold, given back, exactly once (spec, reservations).
//!
//! Everything here happens inside a command's transaction. Counters change by guarded updates
//! alone (`shift`), a hold's status by the guarded updates of `store::hold`; the row count of an
//! update decides, never what was read before.

mod adjust;
mod answer;
mod batch;
mod end;
mod extend;
mod finalize;
mod line;
mod moving;
mod opening;
mod order;
mod queue;
mod read;
mod refund;
mod sell;
mod shift;
mod short;
mod stocked;
mod sweep;
mod watch;
mod worker;

pub use adjust::Adjust;
pub use batch::{HoldBatch, How};
pub use extend::Extend;
pub use finalize::{Finalize, Release};
pub use line::Voiding;
pub use queue::{Delivery, LocalQueue, Queue, QueueTimes, RedisQueue};
pub use stocked::stock_open;
pub use watch::stock_verify;

use std::fmt;
use std::sync::Arc;

use domain::id::{ReservationId, StockId, StoreId};

/// What a command does to stock, beside the rows themselves.
#[derive(Debug, Default)]
pub struct StockWork {
    pub(super) guards: StockGuards,
    /// Rows whose counters changed, in the order in which they were locked.
    pub(super) touched: Vec<StockId>,
    /// What is overdue in this store was swept before: short is short.
    pub(super) swept: bool,
    /// There is something for a worker.
    pub(super) queued: bool,
    steps: Vec<Step>,
}

/// One transition, as the log tells it.
#[derive(Clone, Debug)]
struct Step {
    rid: ReservationId,
    actor: String,
    lines: usize,
    what: &'static str,
    why: String,
}

impl StockWork {
    /// One log line a transition, when it has committed.
    pub(super) fn tell(&self, store: StoreId) {
        for Step {
            rid,
            actor,
            lines,
            what,
            why,
        } in &self.steps
        {
            metrics::counter!("stock_transitions_total", "transition" => *what).increment(1);
            tracing::info!(%store, %rid, %actor, lines, reason = what, why, "hold");
        }
    }
}

/// Something a test decides inside a worker.
#[doc(hidden)]
pub type Fault = Arc<dyn Fn() -> bool + Send + Sync>;

/// Rules that a negative control switches off; nothing else ever does.
#[doc(hidden)]
#[derive(Clone)]
pub struct StockGuards {
    /// Rows are locked in ascending order.
    pub sorted: bool,
    /// Units are taken only where they are free.
    pub reserve: bool,
    /// A hold is ended only in the status that allows it.
    pub status: bool,
    /// Whether the database fails the worker this time.
    pub fault: Option<Fault>,
}

impl Default for StockGuards {
    fn default() -> Self {
        Self {
            sorted: true,
            reserve: true,
            status: true,
            fault: None,
        }
    }
}

impl fmt::Debug for StockGuards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StockGuards")
            .field("sorted", &self.sorted)
            .field("reserve", &self.reserve)
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}
