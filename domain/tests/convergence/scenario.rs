//! Scenarios: a setting, and actions that are carried out one after the other; then quiet, and
//! everything has to be right.

use domain::bridge::{Input, Link};
use domain::settings::PaymentTiming;
use domain::store::Guards;
use domain::stream::Scope;

use super::client::Client;
use super::rng::Rng;
use super::server::{Limits, Rules, Server};

/// Guards and rules of this run.
#[derive(Clone, Copy, Default)]
pub struct Setup {
    pub guards: Guards,
    pub rules: Rules,
}

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

    fn action(&self, roll: u16) -> Action {
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

/// A roll of the dice for the action, and the randomness inside it.
pub type Roll = (u16, u32);

pub struct World {
    pub server: Server,
    pub clients: Vec<Client>,
    thin: bool,
    poison: bool,
    tracing: bool,
}

impl World {
    pub fn new(setting: &Setting, setup: Setup, tracing: bool) -> Self {
        let mut server = Server::new(setting.timing, setting.limits, setup.rules);
        let mut rng = Rng::new(77);
        let mut placed = 0;
        while placed < setting.before {
            placed += usize::from(server.command(&mut rng, false, false).is_some());
        }
        server.settle();
        let client = |(index, scopes): (usize, &&'static [Scope])| {
            let mut client = Client::new(scopes, setup.guards, index as u64);
            client.forbidden = setting.forbidden;
            client
        };
        Self {
            server,
            clients: setting.screens.iter().enumerate().map(client).collect(),
            thin: setting.thin,
            poison: setting.poison,
            tracing,
        }
    }

    fn command(&mut self, rng: &mut Rng) -> Option<super::server::Committed> {
        let thin = self.thin && rng.one_in(6);
        let poison = self.poison && rng.one_in(5);
        self.server.command(rng, thin, poison)
    }

    fn act(&mut self, action: Action, rng: &mut Rng) -> Result<(), String> {
        self.server.now = self.server.now.plus(20);
        match action {
            A::Command => drop(self.command(rng)),
            A::Burst => {
                for _ in 0..4 + rng.below(6) {
                    self.command(rng);
                }
            }
            A::Relay => self.server.relay(rng.below(2)),
            A::RelayCrash => self.server.free(rng.below(2)),
            A::LeaseEnds => self.server.expire_lease(),
            A::Ship => {
                for which in 0..2 {
                    for _ in 0..6 {
                        self.server.relay(which);
                    }
                }
                self.server.read();
                self.server.read();
            }
            A::Read => drop(self.server.read()),
            A::TailCheck => self.server.check_tail(),
            A::LogFault => self.server.log_fault(rng),
            A::Purge => self.server.purge(rng.below(6)),
            A::Restart => self.server.restart(),
            A::BackUp => self.server.back_up(),
            A::Restore => self.server.restore(),
            A::Mark => self.server.mark(rng),
            A::Time => self.server.now = self.server.now.plus(rng.below(8_000) as i64),
            A::ClientCommand => {
                let at = rng.below(self.clients.len());
                if let Some(done) = self.command(rng) {
                    let answer = (done.watermark, done.entities);
                    self.clients[at].commanded.push(answer);
                }
            }
            _ => {
                let at = rng.below(self.clients.len());
                let client = &mut self.clients[at];
                on_client(&mut self.server, client, action, rng)?;
            }
        }
        for client in &mut self.clients {
            client.fire(&mut self.server)?;
        }
        Ok(())
    }

    /// Everything that can arrive arrives, until four beats pass without a request and every
    /// scope equals the server's snapshot.
    pub fn quiet(&mut self) -> Result<(), String> {
        self.server.note(|| "--- quiet".to_owned());
        let mut calm = 0;
        let mut why = String::new();
        for _ in 0..150 {
            self.server.settle();
            self.server.now = self.server.now.plus(2_000);
            why.clear();
            for client in &mut self.clients {
                let before = client.requests;
                while !client.commanded.is_empty() {
                    client.deliver_command(&mut self.server)?;
                }
                client.haunt(&mut self.server)?;
                client.pump(&mut self.server, true)?;
                if let Some(difference) = client.differs(&self.server) {
                    why = difference;
                } else if client.requests != before {
                    why = "asks without end".to_owned();
                } else {
                    let status = client.bridge.status(client.wall(&self.server));
                    if status.link != Link::Live {
                        why = format!("{:?}", status.link);
                    }
                }
            }
            calm = if why.is_empty() { calm + 1 } else { 0 };
            if calm == 4 {
                return Ok(());
            }
        }
        Err(format!("never quiet: {why}"))
    }

    pub fn run(&mut self, setting: &Setting, rolls: &[Roll]) -> Result<(), String> {
        for client in &mut self.clients {
            client.start(&mut self.server)?;
        }
        if setting.warm {
            for wait in [0, 70_000, 2_000, 2_000] {
                self.server.now = self.server.now.plus(wait);
                for client in &mut self.clients {
                    client.pump(&mut self.server, true)?;
                }
            }
        }
        if self.tracing {
            self.server.trace = Some(vec![]);
        }
        for (roll, seed) in rolls {
            let action = setting.action(*roll);
            if self.tracing && !matches!(action, A::Receive | A::Pull | A::Read | A::Relay) {
                self.server.note(|| format!("{action:?}"));
            }
            self.act(action, &mut Rng::new(u64::from(*seed)))?;
        }
        self.quiet()?;
        let requests: u64 = self.clients.iter().map(|client| client.requests).sum();
        let most = (200 + rolls.len() * 12) as u64 * self.clients.len() as u64;
        if requests > most {
            return Err(format!("{requests} requests"));
        }
        Ok(())
    }
}

fn on_client(
    server: &mut Server,
    client: &mut Client,
    action: Action,
    rng: &mut Rng,
) -> Result<(), String> {
    let connection = client.connection();
    match action {
        A::CommandAnswer => client.deliver_command(server)?,
        A::Pull => {
            for _ in 0..1 + rng.below(3) {
                connection.map_or(Ok(false), |at| server.pull(at))?;
            }
        }
        A::Heartbeat => {
            if let Some(at) = connection {
                server.heartbeat(at);
            }
        }
        A::Receive => drop(client.receive(server)?),
        A::ReceiveSome => {
            for _ in 0..5 {
                client.receive(server)?;
            }
        }
        A::Ticket => client.answer_ticket(server, true)?,
        A::TicketFails => client.answer_ticket(server, false)?,
        A::Serve => {
            let open: Vec<usize> = (0..client.pending.len())
                .filter(|at| client.pending[*at].answer.is_none())
                .collect();
            if let Some(at) = rng.pick(&open) {
                client.serve(server, *at);
            }
        }
        A::Deliver => {
            let ready: Vec<usize> = (0..client.pending.len())
                .filter(|at| client.pending[*at].answer.is_some())
                .collect();
            if let Some(at) = rng.pick(&ready) {
                client.deliver(server, *at, true)?;
            }
        }
        A::Fail if !client.pending.is_empty() => {
            let at = rng.below(client.pending.len());
            client.deliver(server, at, false)?;
        }
        A::Hang if !client.pending.is_empty() => {
            let at = rng.below(client.pending.len());
            client.pending.remove(at);
        }
        A::Drop | A::Mute => {
            if let Some(at) = connection {
                let connection = &mut server.connections[at];
                if action == A::Drop {
                    let left = rng.below(connection.wire.len() + 1);
                    connection.wire.truncate(left);
                    connection.dead = true;
                } else if !connection.dead {
                    // Silent: nothing more arrives, and no error either.
                    connection.mute();
                }
            }
        }
        A::Lose | A::Duplicate | A::Swap | A::Garble => {
            if let Some(at) = connection {
                server.connections[at].disturb(action, rng);
            }
        }
        A::Ghost => client.haunt(server)?,
        A::Navigate => {
            let more: Vec<Scope> = Scope::ALL
                .into_iter()
                .filter(|scope| !client.scopes.contains(scope))
                .collect();
            if let Some(scope) = rng.pick(&more) {
                client.use_scope(server, *scope)?;
            }
        }
        A::Resume => client.step(server, Input::Resume)?,
        A::ClockJump => {
            let by = [-3_600_000, -40_000, -3_000, 3_000, 40_000, 3_600_000];
            client.skew += by[rng.below(6)];
        }
        A::Settle => client.pump(server, true)?,
        _ => {}
    }
    Ok(())
}
