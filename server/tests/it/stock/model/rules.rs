//! What the spec says, over plain numbers.

use domain::stock::{EXTENSION, LONGEST};

use super::super::TTL;
use super::orders::Ordered;
use crate::commands::NOON;

/// Units of `A` and of `B`.
pub type Units = [i64; 2];
/// Dish and quantity: 0 is an `A`, 1 a `B`, 2 an `A` with the option of two `B`.
pub type Lines = Vec<(u8, i64)>;

pub fn units(lines: &[(u8, i64)]) -> Units {
    let sum = |sum: Units, (dish, quantity): &(u8, i64)| match dish {
        0 => [sum[0] + quantity, sum[1]],
        1 => [sum[0], sum[1] + quantity],
        _ => [sum[0] + quantity, sum[1] + 2 * quantity],
    };
    lines.iter().fold([0, 0], sum)
}

pub fn plus(a: Units, b: Units) -> Units {
    [a[0] + b[0], a[1] + b[1]]
}

pub fn minus(a: Units, b: Units) -> Units {
    [a[0] - b[0], a[1] - b[1]]
}

/// Past its time, swept or not, it is the same: `Held` or `Pending`, and not in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Pending,
    Held,
    Sold,
    Released,
    Rejected,
    /// Its last line was voided: released, or expired if it was swept before.
    Gone,
}

/// A hold of a cart or of an order.
#[derive(Clone, Debug)]
pub struct Held {
    /// Whose, if it may be found again by its content.
    pub signed: Option<u8>,
    pub is_orders: bool,
    pub units: Units,
    /// What it was made of, to be adopted by.
    pub content: Option<Units>,
    pub status: Status,
    pub started_at: i64,
    pub expires_at: i64,
    pub max_until: i64,
}

impl Held {
    pub fn in_time(&self, now: i64) -> bool {
        matches!(self.status, Status::Held | Status::Pending) && now < self.expires_at
    }

    pub fn holds(&self, now: i64) -> bool {
        self.status == Status::Held && now < self.expires_at
    }

    /// As `GET` tells it; `None` where that depends on the sweeper.
    pub fn shown(&self, now: i64) -> Option<&'static str> {
        match self.status {
            Status::Pending | Status::Held if now >= self.expires_at => Some("expired"),
            Status::Pending => Some("pending"),
            Status::Held => Some("held"),
            Status::Sold => Some("confirmed"),
            Status::Released => Some("released"),
            Status::Rejected => Some("rejected"),
            Status::Gone => None,
        }
    }
}

/// The last batch with a key.
#[derive(Clone, Copy, Debug)]
pub struct Pressed {
    pub status: u16,
    pub at: i64,
}

#[derive(Clone, Debug)]
pub struct Model {
    pub now: i64,
    pub on_hand: Units,
    pub adjusted: Units,
    pub restocked: Units,
    pub sold: Units,
    pub holds: Vec<Held>,
    pub orders: Vec<Ordered>,
    pub pressed: Option<Pressed>,
    /// What the last command answers; 0 for none.
    pub status: u16,
    /// The hold that it was about.
    pub touched: Option<usize>,
}

pub const INITIAL: Units = [6, 9];

impl Model {
    pub fn new() -> Self {
        Self {
            now: NOON.0,
            on_hand: INITIAL,
            adjusted: [0, 0],
            restocked: [0, 0],
            sold: [0, 0],
            holds: Vec::new(),
            orders: Vec::new(),
            pressed: None,
            status: 0,
            touched: None,
        }
    }

    fn sum(&self, counts: impl Fn(&Held) -> bool) -> Units {
        let counted = self.holds.iter().filter(|held| counts(held));
        counted.fold([0, 0], |sum, held| plus(sum, held.units))
    }

    pub fn held(&self) -> Units {
        self.sum(|held| held.holds(self.now))
    }

    pub fn overdue(&self) -> Units {
        self.sum(|held| held.status == Status::Held && !held.holds(self.now))
    }

    pub fn has(&self, units: Units) -> bool {
        let free = minus(self.on_hand, self.held());
        (0..2).all(|row| units[row] <= 0 || free[row] >= units[row])
    }

    pub fn sell_units(&mut self, units: Units) {
        self.on_hand = minus(self.on_hand, units);
        self.sold = plus(self.sold, units);
    }

    /// A new hold, which takes the place of another one if it is given.
    pub fn push(&mut self, units: Units, status: Status, after: Option<usize>) -> usize {
        let after = after.map(|hold| &self.holds[hold]);
        let chain = after.filter(|held| self.now < held.expires_at);
        let started_at = chain.map_or(self.now, |held| held.started_at);
        let end = started_at + LONGEST;
        let expires_at = (self.now + TTL).min(end);
        self.holds.push(Held {
            signed: None,
            is_orders: false,
            units,
            content: Some(units),
            status,
            started_at,
            expires_at,
            max_until: (expires_at + EXTENSION).min(end),
        });
        self.holds.len() - 1
    }

    /// Held in place of another: its own units count for it. Otherwise the refusal.
    pub fn open(&mut self, units: Units, after: Option<usize>) -> Result<usize, u16> {
        let back = match after.map(|hold| &self.holds[hold]) {
            Some(held) if held.status == Status::Sold => return Err(409),
            Some(held) if held.in_time(self.now) && held.is_orders => return Err(409),
            Some(held) if held.holds(self.now) => held.units,
            Some(_) | None => [0, 0],
        };
        if !self.has(minus(units, back)) {
            return Err(409);
        }
        let made = self.push(units, Status::Held, after);
        if let Some(hold) = after {
            self.release(hold);
        }
        self.touched = Some(made);
        Ok(made)
    }

    pub fn release(&mut self, hold: usize) {
        if self.holds[hold].in_time(self.now) {
            self.holds[hold].status = Status::Released;
        }
    }

    fn found(&self, cart: u8, units: Units) -> Option<usize> {
        let same = |held: &Held| {
            held.signed == Some(cart) && held.content == Some(units) && held.in_time(self.now)
        };
        self.holds.iter().position(same)
    }

    pub fn hold(
        &mut self,
        cart: u8,
        lines: &[(u8, i64)],
        keyed: bool,
        after: Option<usize>,
    ) -> u16 {
        let units = units(lines);
        if let Some(found) = self.found(cart, units).filter(|_| !keyed) {
            self.touched = Some(found);
            return 200;
        }
        match self.open(units, after) {
            Ok(made) => {
                self.holds[made].signed = (!keyed).then_some(cart);
                201
            }
            Err(refused) => refused,
        }
    }

    pub fn press(&mut self, cart: u8, lines: &[(u8, i64)]) -> u16 {
        let status = self.hold(cart, lines, true, None);
        let at = self.now;
        self.pressed = Some(Pressed { status, at });
        status
    }

    /// Taken, and applied by a worker.
    pub fn later(
        &mut self,
        cart: u8,
        lines: &[(u8, i64)],
        ghost: bool,
        after: Option<usize>,
    ) -> u16 {
        let units = units(lines);
        if let Some(found) = self.found(cart, units).filter(|_| !ghost) {
            self.touched = Some(found);
            return 200;
        }
        let made = self.push(units, Status::Pending, after);
        self.holds[made].signed = (!ghost).then_some(cart);
        self.touched = Some(made);
        if ghost {
            self.holds[made].status = Status::Rejected;
        } else {
            self.deliver(made, after);
        }
        202
    }

    /// Taken, and no worker sees it until [`Model::deliver`].
    pub fn aside(&mut self, lines: &[(u8, i64)]) {
        let made = self.push(units(lines), Status::Pending, None);
        self.holds[made].content = None;
        self.touched = Some(made);
    }

    pub fn deliver(&mut self, hold: usize, after: Option<usize>) {
        self.touched = Some(hold);
        let held = &self.holds[hold];
        if held.status != Status::Pending || !held.in_time(self.now) {
            return;
        }
        // One that is sold, or an order's, keeps its place.
        let after = after.filter(|hold| {
            let held = &self.holds[*hold];
            held.in_time(self.now) && !held.is_orders
        });
        let back = after.map(|hold| &self.holds[hold]);
        let back = back.filter(|held| held.status == Status::Held);
        let back = back.map_or([0, 0], |held| held.units);
        if self.has(minus(self.holds[hold].units, back)) {
            self.holds[hold].status = Status::Held;
            if let Some(old) = after {
                self.release(old);
            }
        } else {
            self.holds[hold].status = Status::Rejected;
        }
    }

    /// Sold in time, or past it if everything is free.
    pub fn sell(&mut self, hold: usize) -> u16 {
        let held = &self.holds[hold];
        let units = held.units;
        let sells = match held.status {
            Status::Sold => return 200,
            Status::Held => held.in_time(self.now) || self.has(units),
            Status::Pending | Status::Released | Status::Rejected | Status::Gone => false,
        };
        if !sells {
            return 409;
        }
        self.sell_units(units);
        self.holds[hold].status = Status::Sold;
        200
    }

    /// What an order holds is sold by paying the order.
    pub fn confirm(&mut self, hold: usize) -> u16 {
        self.touched = Some(hold);
        let held = &self.holds[hold];
        if held.is_orders && held.status != Status::Sold {
            return 409;
        }
        self.sell(hold)
    }

    pub fn fail(&mut self, hold: usize) -> u16 {
        self.touched = Some(hold);
        if self.holds[hold].status == Status::Sold {
            return 409;
        }
        self.release(hold);
        200
    }

    pub fn extend(&mut self, hold: usize) -> u16 {
        self.touched = Some(hold);
        let now = self.now;
        let held = &mut self.holds[hold];
        if !held.holds(now) {
            return 409;
        }
        held.expires_at = held.max_until;
        200
    }

    pub fn adjust(&mut self, row: usize, delta: i64) -> u16 {
        let after = self.on_hand[row] + delta;
        if after < 0 {
            return 422;
        }
        if after < self.held()[row] {
            return 409;
        }
        self.on_hand[row] = after;
        self.adjusted[row] += delta;
        200
    }
}
