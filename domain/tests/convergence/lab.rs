//! One screen and a server, moved by hand: for traces.

use domain::bridge::Load;
use domain::call::{Call, CallReason};
use domain::event::{Event, EventType, Payload};
use domain::floor;
use domain::id::{CallId, OrderId, PartyId};
use domain::kitchen::CookTo;
use domain::order::{Happened, Order, Refused, Tender};
use domain::settings::PaymentTiming;
use domain::stream::Scope;
use domain::time::Time;

use super::client::Client;
use super::rng::Rng;
use super::scenario::Setup;
use super::server::{Committed, Limits, Server};

pub struct Lab {
    pub server: Server,
    pub client: Client,
    /// The next transaction's events are too large to travel.
    pub thin: bool,
}

impl Lab {
    /// A screen that is live, at the cursor 0.
    pub fn live(scopes: &[Scope]) -> Self {
        Self::with(scopes, Setup::default())
    }

    pub fn with(scopes: &[Scope], setup: Setup) -> Self {
        let mut lab = Self::cold(scopes, setup);
        lab.settle();
        lab
    }

    /// A screen that has begun, and nothing has arrived.
    pub fn cold(scopes: &[Scope], setup: Setup) -> Self {
        let limits = Limits {
            ring: 8,
            replay: 5,
            changes: 8,
            entities: 6,
        };
        let mut server = Server::new(PaymentTiming::Prepaid, limits, setup.rules);
        let mut client = Client::new(scopes, setup.guards, 1);
        client.start(&mut server).unwrap();
        Self {
            server,
            client,
            thin: false,
        }
    }

    /// Everything arrives; then a minute passes, so that a full reload may come at once.
    pub fn settle(&mut self) {
        self.publish();
        self.client.pump(&mut self.server, true).unwrap();
        for wait in [70_000, 2_000, 2_000] {
            self.server.now = self.server.now.plus(wait);
            self.client.pump(&mut self.server, true).unwrap();
        }
    }

    pub fn commit(&mut self, events: &[Event]) -> Committed {
        let thin = std::mem::take(&mut self.thin);
        self.server.commit(events, thin, false)
    }

    pub fn place(&mut self) -> OrderId {
        let now = self.server.now;
        let events = self.server.house.place(&mut Rng::new(1), now);
        self.commit(&events);
        *self.server.house.orders.keys().last().unwrap()
    }

    pub fn order(
        &mut self,
        id: OrderId,
        command: impl FnOnce(&mut Order, Time) -> Result<Happened, Refused>,
    ) -> Committed {
        let now = self.server.now;
        let order = self.server.house.orders.get_mut(&id).unwrap();
        let happened = command(order, now).unwrap();
        let order = order.clone();
        let events: Vec<Event> = happened
            .into_iter()
            .filter_map(|event_type: EventType| Event::of_order(event_type, &order))
            .collect();
        self.commit(&events)
    }

    /// Two events of one command.
    pub fn confirm(&mut self, id: OrderId) -> Committed {
        self.order(id, |order, now| order.confirm(Tender::Cash, false, now))
    }

    pub fn reject(&mut self, id: OrderId) -> Committed {
        self.order(id, |order, now| order.reject("품절", false, now))
    }

    pub fn cook(&mut self, id: OrderId, to: CookTo) -> Committed {
        self.order(id, |order, now| order.advance(None, to, now))
    }

    /// An order that is cooked: five events.
    pub fn cooked(&mut self) -> OrderId {
        let id = self.place();
        self.confirm(id);
        self.cook(id, CookTo::Cooking);
        self.cook(id, CookTo::Cooked);
        id
    }

    /// Seats guests at a table, or counts them again.
    pub fn table(&mut self, at: usize) -> Committed {
        let now = self.server.now;
        let id = self.server.house.tables[at].id;
        let party = PartyId(self.server.house.fresh());
        let tables = &mut self.server.house.tables;
        if tables[at].party.is_none() {
            floor::seat(tables, id, party, Some(2), now).unwrap();
        } else {
            let covers = 1 + tables[at].version as u32 % 90;
            floor::covers(tables, id, covers).unwrap();
        }
        let table = self.server.house.tables[at].clone();
        self.commit(&[Event::TableChanged(Payload::Whole(Box::new(table)))])
    }

    pub fn call(&mut self) -> CallId {
        let id = CallId(self.server.house.fresh());
        let party = PartyId(self.server.house.fresh());
        let table = self.server.house.tables[0].id;
        let call = Call::request(id, table, party, CallReason::Water, self.server.now);
        self.server.house.calls.insert(id, call.clone());
        self.commit(&[Event::CustomerCall(Payload::Whole(Box::new(call)))]);
        id
    }

    /// The business day's cut.
    pub fn cut(&mut self) {
        let event = self.server.house.cut();
        if self.server.rules.cut_is_marked {
            self.commit(&[event]);
        }
    }

    /// Relay and reader do their work, and the connection writes.
    pub fn publish(&mut self) {
        self.server.settle();
        if let Some(at) = self.client.connection() {
            while self.server.pull(at).unwrap() {}
        }
    }

    pub fn receive(&mut self, frames: usize) {
        for _ in 0..frames {
            assert!(
                self.client.receive(&mut self.server).unwrap(),
                "there is no frame"
            );
        }
    }

    /// The frame that would come next is lost.
    pub fn lose(&mut self) {
        let at = self.client.connection().unwrap();
        self.server.connections[at].wire.pop_front().unwrap();
    }

    /// A beat, and all that is on its way before it.
    pub fn beat(&mut self) {
        self.server.now = self.server.now.plus(2_000);
        let at = self.client.connection().unwrap();
        self.server.heartbeat(at);
        while self.client.receive(&mut self.server).unwrap() {}
    }

    /// The connection breaks; what was on its way is lost.
    pub fn drop_stream(&mut self) {
        let at = self.client.connection().unwrap();
        self.server.connections[at].cut();
        self.receive(1);
    }

    /// The next attempt, as far as the stream.
    pub fn reconnect(&mut self) {
        while self.client.tickets.is_empty() {
            self.server.now = self.server.now.plus(100);
            self.client.fire(&mut self.server).unwrap();
        }
        self.client.answer_ticket(&mut self.server, true).unwrap();
        assert!(self.client.connection().is_some());
    }

    fn find(&self, wanted: &Load) -> usize {
        let same = |load: &Load| match (load, wanted) {
            (Load::Changes(_), Load::Changes(_)) => true,
            (Load::Ids(a, _), Load::Ids(b, _)) => a == b,
            (a, b) => a == b,
        };
        let found = self.client.pending.iter().position(|p| same(&p.what));
        found.unwrap_or_else(|| panic!("{wanted:?} was not asked for"))
    }

    /// The server reads for this request; the answer is on its way.
    pub fn serve(&mut self, load: &Load) {
        let at = self.find(load);
        self.client.serve(&self.server, at);
    }

    /// The answer arrives.
    pub fn deliver(&mut self, load: &Load) {
        let at = self.find(load);
        self.client.serve(&self.server, at);
        self.client.deliver(&mut self.server, at, true).unwrap();
    }

    pub fn fail(&mut self, load: &Load) {
        let at = self.find(load);
        self.client.deliver(&mut self.server, at, false).unwrap();
    }

    pub fn asked(&self) -> usize {
        self.client.pending.len()
    }

    pub fn cursor(&self) -> u64 {
        self.client.bridge.cursor().seq
    }

    pub fn shows(&self, scope: Scope, id: OrderId) -> bool {
        self.client.bridge.store().order(scope, id).is_some()
    }

    /// Nothing more happens but beats: what would go wrong?
    pub fn outcome(&mut self) -> Result<(), String> {
        let mut calm = 0;
        let mut why = String::new();
        for _ in 0..120 {
            self.publish();
            self.server.now = self.server.now.plus(2_000);
            let before = self.client.requests;
            self.client.pump(&mut self.server, true)?;
            why = self.client.differs(&self.server).unwrap_or_default();
            if self.client.requests != before {
                why.push_str(" asks without end");
            }
            calm = if why.is_empty() { calm + 1 } else { 0 };
            if calm == 4 {
                return Ok(());
            }
        }
        Err(why)
    }

    pub fn ends_well(&mut self) {
        self.outcome().unwrap();
    }
}
