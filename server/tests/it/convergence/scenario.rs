//! Random commands, random scopes, a storm between, and then quiet.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::bridge::Input;
use domain::stream::Scope;
use futures_util::StreamExt as _;
use rstest::rstest;
use server::config::Config;

use super::hand::{Hand, Tally};
use super::membership::compare;
use crate::screens::{Dice, House, Screen, Setup, Storm, settled};
use crate::support::Engine::{self, Postgres, Sqlite};

const SCENARIOS: u64 = 40;
/// Scenarios under way at once.
const AT_ONCE: usize = 10;
const PRESSES: usize = 50;

/// Sets of scopes as screens have them: kitchen, hall, counter, an odd one, everything.
const SCREENS: [&[Scope]; 6] = [
    &[Scope::KitchenOrders, Scope::Menu, Scope::Store],
    &[Scope::HallOrders, Scope::Tables, Scope::Calls, Scope::Menu],
    &[Scope::Payments, Scope::Servings, Scope::Calls],
    &[Scope::Servings, Scope::KitchenOrders],
    &[Scope::Tables],
    &Scope::ALL,
];

async fn scenario(engine: Engine, seed: u64) -> Tally {
    let mut dice = Dice(seed);
    let replay = [300, 300, 8, 2][dice.below(4)];
    let change = |config: &mut Config| config.replay_limit = replay;
    let house = House::late_on(engine, change, |app| app).await;
    let storm = Storm::begin();
    let first = dice.below(SCREENS.len());
    let screens: Vec<Screen> = (0..2 + dice.below(2))
        .map(|place| {
            let scopes = SCREENS[(first + place) % SCREENS.len()];
            let setup = Setup {
                pace: 10,
                seed: dice.roll(),
                storm: storm.clone(),
                ..Setup::of(scopes)
            };
            Screen::start(&house.owner, setup)
        })
        .collect();
    let mut hand = Hand::new(&house, dice.roll()).await;
    let cut_at = dice.below(2 * PRESSES);
    for press in 0..PRESSES {
        if press == cut_at {
            house.app.clock.advance(3_600_000);
            hand.tally.insert("cut", (1, 1));
        }
        let reply = hand.press().await;
        let screen = dice.pick(&screens).unwrap();
        match dice.below(40) {
            0 => screen.tell(Input::Resume).await,
            1 => screen.tell(Input::Use(Scope::ALL[dice.below(8)])).await,
            // The screen that gave the command hears of it by the answer as well.
            2..20 => {
                if let Some(reply) = &reply {
                    screen.answered(reply).await;
                }
            }
            // Seconds of a screen's clock.
            20..24 => tokio::time::sleep(Duration::from_millis(dice.roll() % 100)).await,
            _ => {}
        }
    }
    storm.end();
    let quiet = screens.iter().map(async |screen| {
        settled(&house.owner, screen).await;
        screen.rests().await;
        screen.seen().assert_sound();
    });
    futures_util::future::join_all(quiet).await;
    compare(&house).await;
    hand.tally
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn once_quiet_every_screen_equals_the_snapshots_whatever_was_lost_on_the_way(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let seeds = (0..SCENARIOS).map(|number| 0xc0ffee + number * 7_919);
    let mut tallies = futures_util::stream::iter(seeds)
        .map(|seed| {
            // Named when it fails.
            let run = tokio::spawn(scenario(engine, seed));
            async move { run.await.unwrap_or_else(|e| panic!("seed {seed}: {e}")) }
        })
        .buffer_unordered(AT_ONCE);
    let mut all: BTreeMap<&'static str, (u32, u32)> = BTreeMap::new();
    while let Some(tally) = tallies.next().await {
        for (kind, (given, done)) in tally {
            let sum = all.entry(kind).or_default();
            *sum = (sum.0 + given, sum.1 + done);
        }
    }
    println!("{all:?}");
    let never: Vec<_> = all.iter().filter(|(_, (_, done))| *done == 0).collect();
    assert!(never.is_empty(), "never carried out: {never:?}");
    assert_eq!(all.len(), 26, "every kind of command: {all:?}");
}
