//! Random scenarios: with every guard on none fails; with one off some do.

use domain::store::Guards;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use proptest::{collection, prelude::any};

use super::scenario::{Roll, Setup, World};
use super::server::Rules;
use super::setting::{Action, Setting};

/// How many scenarios a test runs when nobody asks for more.
const SHORT: u32 = 1_500;

/// `JUMUN_LONG=1` makes it the long run.
fn scenarios() -> u32 {
    match std::env::var("JUMUN_LONG") {
        Ok(value) if value != "0" => SHORT * 67,
        Ok(_) | Err(_) => SHORT,
    }
}

fn run(
    setting: &Setting,
    rolls: &[Roll],
    setup: Setup,
    trace: bool,
) -> (Result<(), String>, String) {
    let mut world = World::new(setting, setup, trace);
    let result = world.run(setting, rolls);
    let mut trace = world.server.trace.take().unwrap_or_default();
    let quiet = trace.iter().position(|line| line == "--- quiet");
    trace.truncate(quiet.unwrap_or(400) + 40);
    (result, trace.join("\n"))
}

struct Search<'a> {
    cases: u32,
    stream: u8,
    shrink: u32,
    focus: &'a [Action],
    setup: Setup,
}

impl Search<'_> {
    /// The smallest failing scenario, told as a trace.
    fn failure(&self) -> Option<String> {
        let config = Config {
            cases: self.cases,
            failure_persistence: None,
            max_shrink_iters: self.shrink,
            ..Config::default()
        };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[self.stream; 32]);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let rolls = collection::vec((any::<u16>(), any::<u32>()), 20..90);
        let outcome = runner.run(&(any::<u64>(), rolls), |(seed, rolls)| {
            let setting = Setting::from_seed(seed, self.focus);
            run(&setting, &rolls, self.setup, false)
                .0
                .map_err(TestCaseError::fail)
        });
        match outcome {
            Ok(()) => None,
            Err(TestError::Fail(reason, (seed, rolls))) => {
                let setting = Setting::from_seed(seed, self.focus);
                let trace = run(&setting, &rolls, self.setup, true).1;
                Some(format!("{reason}\n{setting:?}\n{trace}\n{reason}"))
            }
            Err(TestError::Abort(reason)) => Some(reason.to_string()),
        }
    }
}

fn converges(stream: u8) {
    let search = Search {
        cases: scenarios(),
        stream,
        shrink: 20_000,
        focus: &[],
        setup: Setup::default(),
    };
    if let Some(failure) = search.failure() {
        panic!("{failure}");
    }
}

/// The suite sees what is missing when one rule is switched off.
fn is_found(setup: Setup, focus: &[Action]) {
    let search = Search {
        cases: 2 * SHORT,
        stream: 3,
        shrink: 0,
        focus,
        setup,
    };
    assert!(
        search.failure().is_some(),
        "nothing fails without this rule"
    );
}

fn without(guards: Guards) -> Setup {
    Setup {
        guards,
        ..Setup::default()
    }
}

fn served_by(rules: Rules) -> Setup {
    Setup {
        rules,
        ..Setup::default()
    }
}

#[test]
fn every_screen_equals_the_snapshot_once_all_is_quiet() {
    converges(1);
}

#[test]
fn every_screen_equals_the_snapshot_once_all_is_quiet_in_other_scenarios() {
    converges(2);
}

#[test]
fn without_as_of_older_information_is_seen_to_undo_newer() {
    let setup = without(Guards {
        as_of: false,
        ..Guards::default()
    });
    is_found(setup, &[]);
}

#[test]
fn ids_that_raise_a_watermark_are_seen_to_lose_an_event() {
    let setup = without(Guards {
        ids_keep_watermark: false,
        ..Guards::default()
    });
    is_found(setup, &[Action::Lose]);
}

#[test]
fn a_marker_that_passes_the_cursor_is_seen_to_lose_a_scope() {
    let setup = without(Guards {
        marker_waits: false,
        ..Guards::default()
    });
    is_found(setup, &[Action::Mark, Action::Burst]);
}

#[test]
fn sent_compared_with_the_last_received_is_seen_to_ask_without_end() {
    let setup = without(Guards {
        sent_against_cursor: false,
        ..Guards::default()
    });
    is_found(setup, &[]);
}

#[test]
fn a_ring_joined_after_the_replay_is_seen_to_skip() {
    let setup = served_by(Rules {
        subscribe_first: false,
        ..Rules::default()
    });
    is_found(setup, &[Action::Drop]);
}

#[test]
fn a_watermark_read_after_the_data_is_seen_to_lose_an_event() {
    let setup = served_by(Rules {
        watermark_with_data: false,
        ..Rules::default()
    });
    is_found(setup, &[]);
}

#[test]
fn a_reader_that_never_checks_the_tail_is_seen_to_lose_it() {
    let setup = served_by(Rules {
        tail_check: false,
        ..Rules::default()
    });
    is_found(setup, &[Action::LogFault]);
}

#[test]
fn sent_that_forgets_the_position_is_seen_to_leave_a_hole() {
    let setup = served_by(Rules {
        sent_is_position: false,
        ..Rules::default()
    });
    is_found(setup, &[Action::Burst, Action::Drop]);
}

#[test]
fn changes_given_as_a_page_are_seen_to_skip_the_rest() {
    let setup = served_by(Rules {
        no_page_of_changes: false,
        ..Rules::default()
    });
    is_found(setup, &[Action::Lose, Action::Burst]);
}

#[test]
fn changes_from_a_purged_history_are_seen_to_skip() {
    let setup = served_by(Rules {
        history_proven: false,
        ..Rules::default()
    });
    is_found(setup, &[Action::Purge, Action::Lose]);
}

#[test]
fn a_cut_without_a_marker_is_seen_to_leave_the_old_day() {
    let setup = served_by(Rules {
        cut_is_marked: false,
        ..Rules::default()
    });
    is_found(setup, &[Action::Mark]);
}
