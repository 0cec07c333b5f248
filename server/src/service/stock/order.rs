//! Placing an order, or adding to it, holds its stock; what fires at once is sold at once.

use std::collections::BTreeMap;

use domain::id::{MenuId, OrderId, ReservationId};
use domain::menu::MenuItem;
use domain::order::{Line, Order};
use domain::stock::{Demand, HoldStatus, Life, ttl};
use uuid::Uuid;

use super::super::command::Work;
use super::super::refusal::{Code, Refusal, ServiceError};
use super::batch::{bad_lines, digest};
use super::opening::{Opening, moves, portions};
use crate::store::hold::{Held, hold_find};
use crate::store::hold_line::{
    LineStatus, Portion, portions_insert, portions_of_hold, portions_turn,
};
use crate::store::hold_turn::{hold_adopt, hold_extend, hold_grow};
use crate::store::ledger::MoveKind;
use crate::store::menu::items_find;

/// Lines of an order with what they draw on; places are of the order.
pub(super) struct Drawn {
    demand: Demand,
    ids: Vec<Uuid>,
}

impl Drawn {
    fn portions(&self, rid: ReservationId) -> Vec<Portion> {
        portions(rid, &self.demand, &self.ids)
    }
}

impl Work {
    /// What these lines of an order draw on, by the menu as it is.
    pub(super) async fn drawn(&mut self, lines: &[&Line]) -> Result<Drawn, ServiceError> {
        let store = self.store().id;
        let ids: Vec<MenuId> = lines.iter().map(|line| line.menu_id).collect();
        let items: BTreeMap<MenuId, MenuItem> = items_find(&mut self.tx, store, ids).await?;
        let ids = lines.iter().map(|line| line.id.0).collect();
        let demand =
            Demand::of_order(lines.iter().copied(), &items).map_err(|bad| bad_lines(&[bad]))?;
        Ok(Drawn { demand, ids })
    }

    /// A new order takes its units, or those of an open hold of the same content. Postpaid they
    /// are sold with that.
    pub(in crate::service) async fn hold_order(
        &mut self,
        order: &mut Order,
        rid: Option<ReservationId>,
    ) -> Result<(), ServiceError> {
        let drawn = self.drawn(&order.live_lines().collect::<Vec<_>>()).await?;
        let named = match rid {
            Some(rid) => Some(self.own_hold(rid).await?),
            None => None,
        };
        let content = digest(&drawn.demand.content());
        let adopted = match named {
            Some(held) if held.content == content && !drawn.demand.is_empty() => {
                self.adopt(&held, order, &drawn).await?
            }
            Some(held) => {
                // The cart was changed after it was held: its units count for the order's.
                return self.hold_afresh(order, &drawn, Some(held)).await;
            }
            None => false,
        };
        if adopted || drawn.demand.is_empty() {
            return Ok(());
        }
        self.hold_afresh(order, &drawn, None).await
    }

    /// The order takes over a hold of its very content, if that is open. `false`: it is not.
    async fn adopt(
        &mut self,
        held: &Held,
        order: &mut Order,
        drawn: &Drawn,
    ) -> Result<bool, ServiceError> {
        match held.status {
            HoldStatus::Confirmed => {
                let refusal = Refusal::new(Code::AlreadyConfirmed, "that hold is sold already");
                return Err(refusal.into());
            }
            HoldStatus::Pending => {
                // No worker was at it yet: the order holds for itself.
                self.end_released(held, "superseded").await?;
                return Ok(false);
            }
            HoldStatus::Held if held.order_id.is_some() && !held.life.is_over(self.now) => {
                let refusal = Refusal::new(Code::InvalidTransition, "that hold is an order's");
                return Err(refusal.into());
            }
            HoldStatus::Held
            | HoldStatus::Released
            | HoldStatus::Expired
            | HoldStatus::Rejected => {}
        }
        if !hold_adopt(&mut self.tx, held.rid, order.id, self.now).await? {
            self.is_over(held).await?;
            return Ok(false);
        }
        self.relabel(held.rid, drawn).await?;
        let longer = hold_extend(&mut self.tx, held.rid, self.now).await?;
        order.hold(held.rid, Some(longer.unwrap_or(held.life.expires_at)));
        self.step(held, drawn.ids.len(), "adopted", &order.number.to_string());
        if order.is_fired() {
            self.end_confirmed(held, None).await?;
            order.hold_over();
        }
        Ok(true)
    }

    /// The units of a cart's lines become those of the order's lines.
    async fn relabel(&mut self, rid: ReservationId, drawn: &Drawn) -> Result<(), ServiceError> {
        let old = portions_of_hold(&mut self.tx, rid, LineStatus::Held).await?;
        let new = drawn.portions(rid);
        let mut all: Vec<_> = moves(&old, MoveKind::Moved).collect();
        all.extend(moves(&new, MoveKind::Taken));
        self.shift(&all, "adopted").await?;
        portions_turn(&mut self.tx, rid, LineStatus::Held, LineStatus::Moved).await?;
        Ok(portions_insert(&mut self.tx, &new, LineStatus::Held).await?)
    }

    fn order_opening(&self, order: &Order, drawn: &Drawn, life: Option<Life>) -> Opening {
        let store = self.store();
        // The store's own setting is in bounds by construction.
        let ttl = ttl(store.hold_ttl_ms, None).unwrap_or(store.hold_ttl_ms);
        let table = (!order.table_label.is_empty()).then(|| order.table_label.clone());
        Opening {
            actor: order_actor(order.id),
            holder: table.unwrap_or_else(|| format!("#{}", order.number)),
            content: digest(&drawn.demand.content()),
            signature: None,
            order_id: Some(order.id),
            life: match life {
                Some(life) => life.succeed(self.now, ttl),
                None => Life::begin(self.now, ttl),
            },
            sold: order.is_fired(),
        }
    }

    /// A hold of the order's own, with everything in it.
    async fn hold_afresh(
        &mut self,
        order: &mut Order,
        drawn: &Drawn,
        replaced: Option<Held>,
    ) -> Result<(), ServiceError> {
        let rid = ReservationId(Uuid::now_v7());
        let back = match &replaced {
            Some(held) => self.hold_superseded(held).await?,
            None => Vec::new(),
        };
        let given: Vec<_> = moves(&back, MoveKind::Released).collect();
        let life = replaced.map(|held| held.life);
        let opening = self.order_opening(order, drawn, life);
        let (until, sold) = (opening.life.expires_at, opening.sold);
        let own = drawn.portions(rid);
        if own.is_empty() {
            self.shift(&given, "superseded").await?;
            return Ok(());
        }
        let short = self.hold_open(rid, opening, &own, &given).await?;
        if !short.is_empty() {
            let shorts = self.shorts(&short, &drawn.demand.rows(), &back).await?;
            return Err(self.refuse_short(shorts));
        }
        order.hold(rid, (!sold).then_some(until));
        Ok(())
    }

    /// Lines that were added hold their stock in the order's hold; without an open one, the order
    /// gets one for all of its lines.
    pub(in crate::service) async fn hold_added(
        &mut self,
        order: &mut Order,
        added: &[domain::id::LineId],
    ) -> Result<(), ServiceError> {
        let lines = order.lines.iter();
        let news: Vec<&Line> = lines.filter(|line| added.contains(&line.id)).collect();
        let fires = news.iter().any(|line| line.is_fired());
        let drawn = self.drawn(&news).await?;
        if drawn.demand.is_empty() {
            return Ok(());
        }
        let (store, now) = (self.store().id, self.now);
        let held = match order.rid {
            Some(rid) => hold_find(&mut self.tx, store, rid).await?,
            None => None,
        };
        if let Some(held) = &held {
            let open = !fires && hold_grow(&mut self.tx, held.rid, now).await?;
            if open || (fires && held.status == HoldStatus::Confirmed) {
                return self.grow(held, &drawn, fires).await;
            }
            // Past its time, or broken: the order begins again below.
            self.end_expired(held).await?;
        }
        let all = if fires {
            drawn
        } else {
            self.drawn(&order.live_lines().collect::<Vec<_>>()).await?
        };
        self.hold_afresh(order, &all, None).await
    }

    async fn grow(&mut self, held: &Held, drawn: &Drawn, sold: bool) -> Result<(), ServiceError> {
        let more = drawn.portions(held.rid);
        let mut all: Vec<_> = moves(&more, MoveKind::Reserved).collect();
        let mut status = LineStatus::Held;
        if sold {
            all.extend(moves(&more, MoveKind::Confirmed));
            status = LineStatus::Confirmed;
        }
        let short = self.shift(&all, "grown").await?;
        if !short.is_empty() {
            let shorts = self.shorts(&short, &drawn.demand.rows(), &[]).await?;
            return Err(self.refuse_short(shorts));
        }
        portions_insert(&mut self.tx, &more, status).await?;
        self.step(held, more.len(), "grown", "");
        Ok(())
    }

    /// The order was refused: what it held is free again.
    pub(in crate::service) async fn hold_rejected(
        &mut self,
        order: &Order,
        why: &str,
    ) -> Result<(), ServiceError> {
        let store = self.store().id;
        let Some(rid) = order.rid else { return Ok(()) };
        let Some(held) = hold_find(&mut self.tx, store, rid).await? else {
            return Ok(());
        };
        if !self.end_expired(&held).await? {
            self.end_released(&held, why).await?;
        }
        Ok(())
    }

    /// The order's lines that count, held and sold in one, where it has no hold that could be.
    pub(super) async fn sell_afresh(
        &mut self,
        order: &Order,
    ) -> Result<Result<Option<ReservationId>, Vec<domain::stock::Short>>, ServiceError> {
        let drawn = self.drawn(&order.live_lines().collect::<Vec<_>>()).await?;
        let rid = ReservationId(Uuid::now_v7());
        let own = drawn.portions(rid);
        if own.is_empty() {
            return Ok(Ok(None));
        }
        let opening = Opening {
            sold: true,
            ..self.order_opening(order, &drawn, None)
        };
        let short = self.hold_open(rid, opening, &own, &[]).await?;
        if short.is_empty() {
            return Ok(Ok(Some(rid)));
        }
        Ok(Err(self.shorts(&short, &drawn.demand.rows(), &[]).await?))
    }
}

/// A hold made by placing an order has that order as actor.
pub(super) fn order_actor(order: OrderId) -> String {
    format!("order/{order}")
}
