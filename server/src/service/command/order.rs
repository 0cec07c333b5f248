//! Orders: placing, adding, paying, changing, moving.

use domain::floor::{Party, Seating, Table};
use domain::id::{LineId, MenuId, OrderId, ReservationId, TableId};
use domain::order::{Channel, ItemFor, Line, NewOrder, Order, SplitOff, VoidBy, Wanted};
use uuid::Uuid;

use super::super::refusal::{Code, Refusal, ServiceError};
use super::super::stock::Voiding;
use super::Work;
use super::entry::{
    AddLines, Confirm, MoveLines, Note, PlaceOrder, Reject, StaffChannel, VoidLine, WantedLine,
    bad_order, reason,
};
use crate::store::floor::{party_open, tables, zone_names};
use crate::store::menu::items_find;
use crate::store::restaurant::number_take;

/// An order as it is placed, by whomever.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) channel: Channel,
    pub(super) seating: Option<Seating>,
    pub(super) lines: Vec<Line>,
    pub(super) note: String,
    /// An open hold to adopt.
    pub(super) rid: Option<ReservationId>,
}

impl Work {
    pub(super) async fn lines(
        &mut self,
        wanted: Vec<WantedLine>,
    ) -> Result<Vec<Line>, ServiceError> {
        let ids = wanted
            .iter()
            .take(domain::order::MAX_LINES + 1)
            .map(|line| line.menu_id);
        let ids: Vec<MenuId> = ids.collect();
        let store = self.store().id;
        let items = items_find(&mut self.tx, store, ids).await?;
        let default_station = self.store().default_station();
        let default_station = default_station.ok_or_else(|| Refusal::not_found("station"))?;
        let wanted: Vec<Wanted> = wanted
            .into_iter()
            .map(|line| Wanted {
                menu_id: line.menu_id,
                quantity: line.quantity,
                option_ids: line.option_ids,
                note: line.note,
                allergy: line.allergy,
            })
            .collect();
        let entry = ItemFor {
            items: &items,
            default_station,
            now: self.now,
        };
        let lines = entry.lines(&wanted, || LineId(Uuid::now_v7()));
        Ok(lines.map_err(|bad| bad_order(&bad))?)
    }

    /// The party an order is for, and the table it is placed at. A free table is seated.
    async fn party_for(
        &mut self,
        body: &PlaceOrder,
    ) -> Result<Option<(Party, Vec<Table>, TableId)>, ServiceError> {
        let store = self.store().id;
        let mut floor = tables(&mut self.tx, store).await?;
        if let Some(id) = body.party_id {
            match party_open(&mut self.tx, store, id).await? {
                None => return Err(Refusal::not_found("party").into()),
                Some(false) => {
                    return Err(Refusal::new(Code::PartyCleared, "this party has left").into());
                }
                Some(true) => {}
            }
            let sits = floor
                .iter()
                .find_map(|table| table.party.clone().filter(|p| p.id == id));
            let party = sits.ok_or_else(|| Refusal::not_found("party"))?;
            let home = body.table_id.or(party.table_ids.first().copied());
            let home = home.filter(|table| party.table_ids.contains(table));
            let home = home.ok_or_else(|| {
                Refusal::new(Code::PartyCleared, "this party does not sit at that table")
            })?;
            return Ok(Some((party, floor, home)));
        }
        let Some(at) = body.table_id else {
            return Ok(None);
        };
        let table = floor.iter().find(|table| table.id == at);
        let table = table.ok_or_else(|| Refusal::not_found("table"))?;
        if let Some(party) = table.party.clone() {
            return Ok(Some((party, floor, at)));
        }
        let party = self.seat_party(&mut floor, at, None).await?;
        Ok(Some((party, floor, at)))
    }

    pub(super) async fn place_order(&mut self, body: PlaceOrder) -> Result<(), ServiceError> {
        let channel = match body.channel {
            StaffChannel::Hall => Channel::Hall,
            StaffChannel::Counter => Channel::Counter,
            StaffChannel::Takeout => Channel::Takeout,
        };
        if channel == Channel::Hall && body.table_id.is_none() && body.party_id.is_none() {
            return Err(Refusal::field("tableId", "a hall order is for a table or a party").into());
        }
        let lines = self.lines(body.lines.clone()).await?;
        let seating = match self.party_for(&body).await? {
            Some((party, floor, home)) => {
                let zones = zone_names(&mut self.tx, self.actor.store).await?;
                Some(Seating::of(&party, &floor, Some(home), &zones))
            }
            None => None,
        };
        let entry = Entry {
            channel,
            seating,
            lines,
            note: body.note,
            rid: body.rid,
        };
        self.place(entry).await
    }

    pub(super) async fn place(&mut self, entry: Entry) -> Result<(), ServiceError> {
        let Entry {
            channel,
            seating,
            lines,
            note,
            rid,
        } = entry;
        let number = number_take(&mut self.tx, self.actor.store).await?;
        let (party_id, table_ids, table_label, zone) = match seating {
            Some(s) => (Some(s.party_id), s.table_ids, s.label, s.zone),
            None => (None, Vec::new(), String::new(), None),
        };
        let store = self.store();
        let new = NewOrder {
            id: OrderId(Uuid::now_v7()),
            number,
            business_day: store.business_day,
            channel,
            party_id,
            table_ids,
            table_label,
            zone,
            placed_by: self.placed_by(),
            note,
            currency: store.currency,
            timing: store.payment_timing,
        };
        let (mut order, events) =
            Order::place(new, lines, self.now).map_err(|bad| bad_order(&bad))?;
        self.hold_order(&mut order, rid).await?;
        self.created();
        self.save_order(&order, true, events).await
    }

    pub(super) async fn add_lines(
        &mut self,
        id: OrderId,
        body: AddLines,
    ) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let sits = self.party_sits(&order).await?;
        if order.party_id.is_some() && !sits {
            let refusal = Refusal::new(Code::PartyCleared, "this party has left");
            return Err(self.refuse_with_orders(&[order], refusal));
        }
        let lines = self.lines(body.lines).await?;
        if order.takes_more_lines() {
            let timing = self.store().payment_timing;
            let added: Vec<LineId> = lines.iter().map(|line| line.id).collect();
            return match order.add_lines(lines, timing, self.now) {
                Ok(Ok(events)) => {
                    self.hold_added(&mut order, &added).await?;
                    self.save_order(&order, true, events).await
                }
                Ok(Err(bad)) => Err(bad_order(&bad).into()),
                Err(refused) => Err(self.refuse_order(&order, &refused)),
            };
        }
        if order.checkout_stage != domain::order::CheckoutStage::Confirmed {
            let refused = domain::order::Refused::InvalidTransition;
            return Err(self.refuse_order(&order, &refused));
        }
        // Paid already: a new order of the same party.
        let seating = order.party_id.map(|party_id| Seating {
            party_id,
            table_ids: order.table_ids.clone(),
            label: order.table_label.clone(),
            zone: order.zone.clone(),
        });
        let entry = Entry {
            channel: order.channel,
            seating,
            lines,
            note: String::new(),
            rid: None,
        };
        self.place(entry).await
    }

    pub(super) async fn confirm(&mut self, id: OrderId, body: Confirm) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let (was_open, sits) = (order.is_open(), self.party_sits(&order).await?);
        let unpaid = order.clone();
        let outcome = order.confirm(body.tender, sits, self.now);
        if outcome.as_ref().is_ok_and(|events| !events.is_empty()) {
            let shorts = self.sell_order(&mut order).await?;
            // Before money is given back, what nobody holds any more is swept.
            if !shorts.is_empty() && body.money_taken && !self.is_overdue().await? {
                return self.refund_order(unpaid, shorts).await;
            }
            if !shorts.is_empty() {
                let refusal = self.insufficient(shorts)?;
                return Err(self.refuse_with_orders(&[unpaid], refusal));
            }
            self.refund_over(&order).await?;
        }
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn reject(&mut self, id: OrderId, body: &Reject) -> Result<(), ServiceError> {
        reason(&body.reason)?;
        let mut order = self.order(id).await?;
        let (was_open, sits) = (order.is_open(), self.party_sits(&order).await?);
        let outcome = order.reject(&body.reason, sits, self.now);
        if outcome.as_ref().is_ok_and(|events| !events.is_empty()) {
            self.hold_rejected(&order, &body.reason).await?;
        }
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn set_note(&mut self, id: OrderId, body: &Note) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let was_open = order.is_open();
        let outcome = order.set_note(&body.note);
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn set_line_note(
        &mut self,
        id: OrderId,
        line: LineId,
        body: &Note,
    ) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let was_open = order.is_open();
        let outcome = order.set_line_note(line, &body.note, self.now);
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn void(
        &mut self,
        id: OrderId,
        line: LineId,
        body: &VoidLine,
    ) -> Result<(), ServiceError> {
        reason(&body.reason)?;
        let mut order = self.order(id).await?;
        let (was_open, sits) = (order.is_open(), self.party_sits(&order).await?);
        let name = self.actor.name.clone();
        let by = VoidBy {
            name: &name,
            manager: self.actor.who.manages(),
            reason: &body.reason,
        };
        let new_id = LineId(Uuid::now_v7());
        let voiding = Voiding::of(&order, line);
        let outcome = order.void(line, body.quantity, by, new_id, sits, self.now);
        if let (Ok(events), Some(voiding)) = (&outcome, voiding)
            && !events.is_empty()
        {
            self.hold_voided(&mut order, voiding, body.quantity, new_id, &body.reason)
                .await?;
        }
        self.conclude(&order, was_open, outcome).await
    }

    pub(super) async fn move_lines(
        &mut self,
        id: OrderId,
        body: &MoveLines,
    ) -> Result<(), ServiceError> {
        let mut order = self.order(id).await?;
        let floor = tables(&mut self.tx, self.actor.store).await?;
        let table = floor.iter().find(|table| table.id == body.to_table_id);
        let table = table.ok_or_else(|| Refusal::not_found("table"))?;
        let Some(party) = table.party.clone() else {
            let refusal = Refusal::new(Code::InvalidTransition, "nobody sits at that table");
            return Err(self.refuse_with_tables(&[table], refusal));
        };
        let zones = zone_names(&mut self.tx, self.actor.store).await?;
        let seating = Seating::of(&party, &floor, Some(body.to_table_id), &zones);
        let (was_open, sits) = (order.is_open(), self.party_sits(&order).await?);
        let new_id = OrderId(Uuid::now_v7());
        let whole = order
            .live_lines()
            .all(|line| body.line_ids.contains(&line.id));
        let number = if whole {
            0
        } else {
            number_take(&mut self.tx, self.actor.store).await?
        };
        let before = order.version;
        let moved = match order.move_lines(&body.line_ids, &seating, new_id, number, sits, self.now)
        {
            Ok(moved) => moved,
            Err(refused) => return Err(self.refuse_order(&order, &refused)),
        };
        let mut moved = moved;
        if let SplitOff::Part(part) = &mut moved {
            self.hold_split(&mut order, part).await?;
        }
        let changed = || vec![domain::event::EventType::OrderChanged];
        let events = if order.version == before {
            Vec::new()
        } else {
            changed()
        };
        self.save_order(&order, was_open, events).await?;
        match moved {
            SplitOff::Whole => Ok(()),
            SplitOff::Part(mut part) => {
                // Its number is of today's counter, whatever day the lines were ordered on.
                part.business_day = self.store().business_day;
                self.created();
                self.save_order(&part, true, changed()).await
            }
        }
    }
}
