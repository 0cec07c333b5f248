//! Scenarios: a setting, and actions that are carried out one after the other; then quiet, and
//! everything has to be right.

use domain::bridge::Link;
use domain::store::Guards;
use domain::stream::Scope;

use super::client::Client;
use super::faults::on_client;
use super::rng::Rng;
use super::server::{Rules, Server};
use super::setting::{Action, Action as A, Setting};

/// Guards and rules of this run.
#[derive(Clone, Copy, Default)]
pub struct Setup {
    pub guards: Guards,
    pub rules: Rules,
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
