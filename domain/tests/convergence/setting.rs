//! What can happen, how often, and the setting it happens in.

use domain::settings::PaymentTiming;
use domain::stream::Scope;

use super::rng::Rng;
use super::server::Limits;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Command,
    Burst,
    ClientCommand,
    CommandAnswer,
    Relay,
    RelayCrash,
    LeaseEnds,
    Ship,
    Read,
    TailCheck,
    LogFault,
    Purge,
    Restart,
    BackUp,
    Restore,
    Mark,
    Pull,
    Heartbeat,
    Receive,
    ReceiveSome,
    Ticket,
    TicketFails,
    Serve,
    Deliver,
    Fail,
    Hang,
    Drop,
    Mute,
    Lose,
    Duplicate,
    Swap,
    Garble,
    Ghost,
    Navigate,
    Resume,
    Time,
    ClockJump,
    Settle,
}

use Action as A;

/// What happens in every scenario, and how often.
const ALWAYS: &[(Action, u32)] = &[
    (A::Command, 12),
    (A::ClientCommand, 4),
    (A::CommandAnswer, 4),
    (A::Relay, 6),
    (A::Ship, 10),
    (A::Read, 6),
    (A::Pull, 12),
    (A::Receive, 18),
    (A::ReceiveSome, 5),
    (A::Serve, 9),
    (A::Deliver, 11),
    (A::Ticket, 7),
    (A::Heartbeat, 4),
    (A::Time, 3),
    (A::Settle, 2),
];

/// Each of these happens in one scenario of three.
const FAULTS: &[(Action, u32)] = &[
    (A::Burst, 2),
    (A::RelayCrash, 1),
    (A::LeaseEnds, 1),
    (A::TailCheck, 1),
    (A::LogFault, 2),
    (A::Purge, 3),
    (A::Restart, 1),
    (A::BackUp, 1),
    (A::Restore, 1),
    (A::Mark, 1),
    (A::TicketFails, 2),
    (A::Fail, 3),
    (A::Hang, 2),
    (A::Drop, 3),
    (A::Mute, 2),
    (A::Lose, 3),
    (A::Duplicate, 2),
    (A::Swap, 2),
    (A::Garble, 2),
    (A::Ghost, 3),
    (A::Navigate, 3),
    (A::Resume, 2),
    (A::ClockJump, 2),
];

const SCREENS: &[&[Scope]] = &[
    &[Scope::KitchenOrders, Scope::Menu, Scope::Store],
    &[
        Scope::Payments,
        Scope::HallOrders,
        Scope::Menu,
        Scope::Tables,
        Scope::Store,
    ],
    &Scope::ALL,
    &[Scope::Payments, Scope::Servings],
    &[Scope::HallOrders, Scope::Servings, Scope::Tables],
    &[
        Scope::Payments,
        Scope::HallOrders,
        Scope::Calls,
        Scope::Tables,
    ],
    &[Scope::KitchenOrders],
];

/// The setting of a scenario, made from one number.
#[derive(Clone, Debug)]
pub struct Setting {
    pub limits: Limits,
    pub thin: bool,
    pub poison: bool,
    pub warm: bool,
    pub screens: Vec<&'static [Scope]>,
    pub before: usize,
    pub timing: PaymentTiming,
    pub forbidden: Option<Scope>,
    weights: Vec<(Action, u32)>,
}

impl Setting {
    /// The faults of `focus` happen in each scenario, the others in one of three.
    pub fn from_seed(seed: u64, focus: &[Action]) -> Self {
        let mut rng = Rng::new(seed);
        let mut weights = ALWAYS.to_vec();
        for fault in FAULTS {
            if rng.below(100) < 35 || focus.contains(&fault.0) {
                weights.push(*fault);
            }
        }
        if rng.below(100) < 40 {
            // Answers come late.
            for (action, weight) in &mut weights {
                match action {
                    A::Deliver => *weight = 4,
                    A::Serve => *weight = 14,
                    _ => {}
                }
            }
        }
        let pick = |rng: &mut Rng, from: &[u64]| from[rng.below(from.len())];
        let clients = if rng.below(5) < 4 { 1 } else { 2 };
        Self {
            limits: Limits {
                ring: pick(&mut rng, &[3, 5, 8]) as usize,
                replay: pick(&mut rng, &[2, 5]),
                changes: pick(&mut rng, &[4, 8]),
                entities: pick(&mut rng, &[2, 4, 6]) as usize,
            },
            thin: rng.below(10) < 3,
            poison: rng.below(4) == 0,
            warm: rng.below(5) < 4,
            screens: (0..clients)
                .map(|_| SCREENS[rng.below(SCREENS.len())])
                .collect(),
            before: pick(&mut rng, &[0, 0, 3, 12]) as usize,
            timing: if rng.one_in(4) {
                PaymentTiming::Postpaid
            } else {
                PaymentTiming::Prepaid
            },
            forbidden: rng.one_in(25).then(|| Scope::ALL[rng.below(8)]),
            weights,
        }
    }

    pub fn action(&self, roll: u16) -> Action {
        let total: u32 = self.weights.iter().map(|(_, weight)| weight).sum();
        let mut left = u32::from(roll) % total;
        for (action, weight) in &self.weights {
            if left < *weight {
                return *action;
            }
            left -= weight;
        }
        A::Settle
    }
}
