//! A model of the whole beside the real server, step by step: what each command answers, what the
//! counters are after it, and every invariant of the spec. The clock stops before, on and after
//! each end.

mod books;
mod orders;
mod real;
mod rules;
mod steps;
mod words;

use std::time::Instant;

use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use proptest_state_machine::{ReferenceStateMachine as _, StateMachineTest as _};
use rstest::rstest;

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::sized;
use real::{On, OnPostgres, OnSqlite, Real};
use rules::Model;

fn asked(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

fn config() -> Config {
    Config {
        cases: 1,
        failure_persistence: None,
        // Most rolls name a hold or an order that is not there yet, or ended.
        max_local_rejects: u32::MAX,
        max_shrink_iters: asked("PROPTEST_MAX_SHRINK_ITERS").map_or(60, |n| n.max(1) as u32),
        ..Config::default()
    }
}

/// One life of so many steps, the same for the same seed.
fn live<E: On>(seed: usize, steps: usize) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(seed as u64).to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(config(), rng);
    let life = Model::sequential_strategy(steps);
    let lived = runner.run(&life, |(model, steps, seen)| {
        Real::<E>::test_sequential(config(), model, steps, seen);
        Ok(())
    });
    match lived {
        Ok(()) => {}
        Err(TestError::Abort(reason)) => panic!("life {seed}: {reason}"),
        Err(TestError::Fail(reason, (_, steps, _))) => {
            let last = steps.len().saturating_sub(40);
            panic!("life {seed}: {reason}\nafter {:#?}", &steps[last..]);
        }
    }
}

/// Lives of the model. `JUMUN_LONG=1` lives 20 of 10,000 steps; `JUMUN_STOCK_SEEDS` and
/// `JUMUN_STOCK_STEPS` say how many of either, `JUMUN_STOCK_SEED` the first.
fn lives<E: On>() {
    let first = asked("JUMUN_STOCK_SEED").unwrap_or(0);
    let seeds = asked("JUMUN_STOCK_SEEDS").unwrap_or(sized(6, 20));
    let steps = asked("JUMUN_STOCK_STEPS").unwrap_or(sized(80, 10_000));
    let begun = Instant::now();
    for seed in first..first + seeds {
        live::<E>(seed, steps);
        let (done, took) = ((seed + 1 - first) * steps, begun.elapsed().as_secs_f64());
        let speed = done as f64 / took;
        println!(
            "life {seed}: {done} operations in {took:.0} s, {speed:.0} a second, no violation"
        );
    }
}

#[rstest]
fn whatever_happens_in_whatever_order_the_counters_are_the_models(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    match engine {
        Sqlite => lives::<OnSqlite>(),
        Postgres => lives::<OnPostgres>(),
    }
}
