//! What the spec says about orders: they hold while they wait for the payment, and sell when they
//! fire.

use super::rules::{Held, Model, Status, Units, minus, plus, units};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Unpaid,
    Paid,
    Rejected,
}

#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub dish: u8,
    /// None is left of a line that was voided.
    pub quantity: i64,
    pub cooking: bool,
}

#[derive(Clone, Debug)]
pub struct Ordered {
    pub lines: Vec<Line>,
    pub stage: Stage,
    pub fired: bool,
    /// `None`: its lines are sold, in the hold of the order that they came from.
    pub hold: Option<usize>,
    /// Its money is to be given back.
    pub refund: bool,
}

impl Ordered {
    fn of(lines: &[(u8, i64)], hold: usize, fired: bool) -> Self {
        Self {
            lines: ordered(lines),
            stage: Stage::Unpaid,
            fired,
            hold: Some(hold),
            refund: false,
        }
    }

    pub fn live(&self) -> Units {
        let pairs: Vec<_> = self.lines.iter().map(|l| (l.dish, l.quantity)).collect();
        units(&pairs)
    }
}

fn ordered(lines: &[(u8, i64)]) -> Vec<Line> {
    let line = |(dish, quantity): &(u8, i64)| Line {
        dish: *dish,
        quantity: *quantity,
        cooking: false,
    };
    lines.iter().map(line).collect()
}

impl Model {
    /// Prepaid, held; adopting a hold of the same content, or in place of one of another.
    pub fn order(&mut self, lines: &[(u8, i64)], adopts: Option<usize>) -> u16 {
        let units = units(lines);
        let same = adopts.filter(|hold| self.holds[*hold].content == Some(units));
        let opened = match same {
            Some(hold) if self.holds[hold].in_time(self.now) && !self.holds[hold].is_orders => {
                self.adopt(hold);
                Ok(hold)
            }
            Some(hold) if self.holds[hold].in_time(self.now) => Err(409),
            Some(hold) if self.holds[hold].status == Status::Sold => Err(409),
            Some(_) => self.open(units, None),
            None => self.open(units, adopts),
        };
        match opened {
            Ok(hold) => {
                self.holds[hold].is_orders = true;
                self.orders.push(Ordered::of(lines, hold, false));
                201
            }
            Err(refused) => refused,
        }
    }

    fn adopt(&mut self, hold: usize) {
        self.touched = Some(hold);
        let held = &mut self.holds[hold];
        held.signed = None;
        // Entering payment extends.
        held.expires_at = held.max_until;
    }

    /// Postpaid: sold as it is ordered.
    pub fn sell_at_once(&mut self, lines: &[(u8, i64)]) -> u16 {
        let units = units(lines);
        if !self.has(units) {
            return 409;
        }
        let hold = self.push_sold(units);
        self.orders.push(Ordered::of(lines, hold, true));
        201
    }

    fn push_sold(&mut self, units: Units) -> usize {
        self.sell_units(units);
        let hold = self.push(units, Status::Sold, None);
        self.holds[hold].is_orders = true;
        self.touched = Some(hold);
        hold
    }

    pub fn pay(&mut self, order: usize, money_taken: bool) -> u16 {
        let Ordered {
            stage, fired, hold, ..
        } = self.orders[order];
        match stage {
            Stage::Paid => return 200,
            Stage::Rejected => return 409,
            Stage::Unpaid => {}
        }
        self.touched = hold;
        let status = match hold.map(|hold| self.holds[hold].status) {
            _ if fired => 200,
            Some(Status::Held) => self.sell(hold.unwrap()),
            _ => self.sell_afresh(order),
        };
        if status == 200 {
            self.orders[order].stage = Stage::Paid;
            self.orders[order].fired = true;
            // Its money stays after all.
            self.orders[order].refund = false;
        } else if money_taken {
            self.orders[order].refund = true;
        }
        status
    }

    /// Its hold was broken: its lines are taken anew.
    fn sell_afresh(&mut self, order: usize) -> u16 {
        let units = self.orders[order].live();
        if !self.has(units) {
            return 409;
        }
        let hold = self.push_sold(units);
        self.orders[order].hold = Some(hold);
        200
    }

    pub fn reject(&mut self, order: usize) -> u16 {
        let of = &mut self.orders[order];
        match of.stage {
            Stage::Unpaid if !of.fired => {}
            Stage::Unpaid | Stage::Paid => return 409,
            Stage::Rejected => return 200,
        }
        of.stage = Stage::Rejected;
        self.touched = of.hold;
        if let Some(hold) = self.touched {
            self.release(hold);
        }
        200
    }

    /// Before firing its units are free, after it they are back, in the pan they are used up.
    pub fn void(&mut self, order: usize, line: usize, quantity: i64) -> u16 {
        let of = &mut self.orders[order];
        let Line { dish, cooking, .. } = of.lines[line];
        of.lines[line].quantity -= quantity;
        let emptied = of.live() == [0, 0];
        let back = units(&[(dish, quantity)]);
        if emptied && of.stage == Stage::Unpaid {
            of.stage = Stage::Rejected;
        }
        if of.fired {
            if !cooking {
                self.on_hand = plus(self.on_hand, back);
                self.restocked = plus(self.restocked, back);
            }
            return 200;
        }
        let held = of.hold.map(|hold| &mut self.holds[hold]);
        if let Some(held) = held.filter(|held| held.status == Status::Held) {
            held.units = minus(held.units, back);
            held.signed = None;
            if emptied {
                held.status = Status::Gone;
            }
        }
        200
    }

    pub fn grow(&mut self, order: usize, lines: &[(u8, i64)]) -> u16 {
        let more = units(lines);
        let of = &self.orders[order];
        match of.stage {
            Stage::Rejected => return 409,
            // Paid already: a new order.
            Stage::Paid => return self.order(lines, None),
            Stage::Unpaid => {}
        }
        let hold = of.hold;
        let open = hold.filter(|hold| self.holds[*hold].holds(self.now));
        let all = plus(more, of.live());
        let taken = if of.fired || open.is_some() {
            more
        } else {
            all
        };
        if !self.has(taken) {
            return 409;
        }
        match (of.fired, open) {
            (true, _) if hold.is_some() => self.sell_units(more),
            (true, _) => self.orders[order].hold = Some(self.push_sold(more)),
            (false, Some(hold)) => self.holds[hold].units = plus(self.holds[hold].units, more),
            (false, None) => {
                let made = self.push(all, Status::Held, None);
                self.holds[made].is_orders = true;
                self.orders[order].hold = Some(made);
            }
        }
        self.touched = self.orders[order].hold;
        self.orders[order].lines.extend(ordered(lines));
        200
    }

    /// These lines go to another table: with all of them the order does.
    pub fn split(&mut self, order: usize, leaving: &[usize]) -> u16 {
        let now = self.now;
        let of = &mut self.orders[order];
        let stays = (0..of.lines.len()).any(|n| of.lines[n].quantity > 0 && !leaving.contains(&n));
        match of.stage {
            Stage::Rejected => return 409,
            Stage::Unpaid | Stage::Paid if !stays => return 200,
            Stage::Unpaid | Stage::Paid => {}
        }
        let lines: Vec<Line> = leaving.iter().map(|n| of.lines[*n]).collect();
        let mut place = 0..;
        of.lines
            .retain(|_| !leaving.contains(&place.next().unwrap()));
        let mut part = Ordered {
            lines,
            refund: false,
            ..of.clone()
        };
        if of.fired {
            part.hold = None;
        } else if let Some(hold) = of.hold.filter(|at| self.holds[*at].status == Status::Held) {
            let own = Held {
                units: part.live(),
                content: None,
                signed: None,
                ..self.holds[hold].clone()
            };
            self.holds[hold].units = minus(self.holds[hold].units, own.units);
            part.hold = Some(self.holds.len());
            self.touched = part.hold.filter(|_| own.in_time(now));
            self.holds.push(own);
        }
        self.orders.push(part);
        201
    }

    pub fn cook(&mut self, order: usize) -> u16 {
        for line in &mut self.orders[order].lines {
            line.cooking = true;
        }
        200
    }
}
