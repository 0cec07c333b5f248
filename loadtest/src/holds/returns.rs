//! Everything is given back when it was measured.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinSet;

use super::press::Press;
use super::report::RateReport;
use crate::api::Api;
use crate::replay::with_causes;

/// Holds that are given back at the same time.
const AT_ONCE: usize = 16;

/// Gives back what is open.
pub(super) async fn give_back(api: &Api, open: Vec<Press>, report: &mut RateReport) {
    let open = Arc::new(Mutex::new(open));
    let mut lanes = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (api, open) = (api.clone(), Arc::clone(&open));
        lanes.spawn(async move {
            let (mut returned, mut failures) = (0, Vec::new());
            while let Some(mut press) = next(&open) {
                match press.give_back(&api).await {
                    Ok(had) => returned += usize::from(had),
                    Err(error) => failures.push(format!("not given back: {}", with_causes(&error))),
                }
            }
            (returned, failures)
        });
    }
    for (returned, failures) in lanes.join_all().await {
        report.returned += returned;
        report.failures.extend(failures);
    }
}

fn next(open: &Mutex<Vec<Press>>) -> Option<Press> {
    open.lock().unwrap_or_else(PoisonError::into_inner).pop()
}
