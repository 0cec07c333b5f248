//! The kitchen state of each line: waiting → cooking → cooked → served, one step back each.
//! Every command is all or nothing over the lines it names.

use serde::{Deserialize, Serialize};

use crate::event::EventType;
use crate::id::LineId;
use crate::order::{Happened, KitchenState, Line, Order, Refused};
use crate::time::Time;

/// Where a bump moves lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CookTo {
    /// 조리 시작
    Cooking,
    /// 조리 완료
    Cooked,
}

impl Order {
    /// Bumps lines on, or without `ids` every line that is one step before `to`.
    ///
    /// # Errors
    /// A named line is not one step before `to`, nor there already; without `ids`, no line is.
    pub fn advance(
        &mut self,
        ids: Option<&[LineId]>,
        to: CookTo,
        now: Time,
    ) -> Result<Happened, Refused> {
        let (from, to, events) = match to {
            CookTo::Cooking => (
                KitchenState::Waiting,
                KitchenState::Cooking,
                vec![EventType::KitchenProgress],
            ),
            CookTo::Cooked => (
                KitchenState::Cooking,
                KitchenState::Cooked,
                vec![EventType::KitchenProgress, EventType::HallServe],
            ),
        };
        self.step_lines(ids, from, to, now, events)
    }

    /// Cooked lines were brought to the table; without `ids` every cooked line.
    ///
    /// # Errors
    /// A named line is not cooked, nor served already; without `ids`, no line is.
    pub fn serve(
        &mut self,
        ids: Option<&[LineId]>,
        party_open: bool,
        now: Time,
    ) -> Result<Happened, Refused> {
        let (from, to) = (KitchenState::Cooked, KitchenState::Served);
        let events = self.step_lines(ids, from, to, now, vec![EventType::HallServe])?;
        if !events.is_empty() {
            self.settle(party_open, now);
        }
        Ok(events)
    }

    fn step_lines(
        &mut self,
        ids: Option<&[LineId]>,
        from: KitchenState,
        to: KitchenState,
        now: Time,
        events: Happened,
    ) -> Result<Happened, Refused> {
        let mut moving = Vec::new();
        let mut there = false;
        match ids {
            Some(ids) => {
                for id in ids {
                    let line = self.line_mut(*id)?;
                    if line.voided.is_some() || !line.is_fired() {
                        return Err(Refused::InvalidTransition);
                    }
                    if line.kitchen_state == from {
                        moving.push(*id);
                    } else if line.kitchen_state == to {
                        there = true;
                    } else {
                        return Err(Refused::InvalidTransition);
                    }
                }
            }
            None => {
                for line in self.live_lines().filter(|line| line.is_fired()) {
                    there |= line.kitchen_state == to;
                    if line.kitchen_state == from {
                        moving.push(line.id);
                    }
                }
            }
        }
        if moving.is_empty() {
            return if there {
                Ok(Vec::new())
            } else {
                Err(Refused::InvalidTransition)
            };
        }
        for line in self
            .lines
            .iter_mut()
            .filter(|line| moving.contains(&line.id))
        {
            step_on(line, to, now);
        }
        Ok(self.changed(events))
    }

    /// Brings lines one step back, each from where it is; without `ids` the lines that are
    /// furthest on among the unserved ones, or else the served ones. The clock of the earlier
    /// state goes on where it was.
    ///
    /// # Errors
    /// A named line is waiting, voided or was never fired; without `ids`, there is none to bring back.
    pub fn recall(&mut self, ids: Option<&[LineId]>, now: Time) -> Result<Happened, Refused> {
        let chosen: Vec<LineId> = match ids {
            Some(ids) => ids.to_vec(),
            None => {
                let furthest = self.unserved_lines().map(|line| line.kitchen_state).max();
                let from = furthest.unwrap_or(KitchenState::Served);
                let fired = self.live_lines().filter(|line| line.is_fired());
                fired
                    .filter(|line| line.kitchen_state == from)
                    .map(|line| line.id)
                    .collect()
            }
        };
        if chosen.is_empty() {
            return Err(Refused::InvalidTransition);
        }
        let (mut progress, mut serve) = (false, false);
        for id in &chosen {
            let line = self.line_mut(*id)?;
            if line.voided.is_some() || !line.is_fired() {
                return Err(Refused::InvalidTransition);
            }
            match line.kitchen_state {
                KitchenState::Waiting => return Err(Refused::InvalidTransition),
                KitchenState::Cooking | KitchenState::Cooked => progress = true,
                KitchenState::Served => serve = true,
            }
        }
        for line in self
            .lines
            .iter_mut()
            .filter(|line| chosen.contains(&line.id))
        {
            step_back(line, now);
        }
        // Unserved lines reopen the order, whatever became of its party.
        self.settle(true, now);
        let mut events = Vec::new();
        if progress {
            events.push(EventType::KitchenProgress);
        }
        if serve {
            events.push(EventType::HallServe);
        }
        Ok(self.changed(events))
    }
}

fn step_on(line: &mut Line, to: KitchenState, now: Time) {
    line.kitchen_state = to;
    line.state_since = now;
    line.recalled_at = None;
    match to {
        KitchenState::Waiting => {}
        KitchenState::Cooking => line.cooking_at = Some(now),
        KitchenState::Cooked => line.cooked_at = Some(now),
        KitchenState::Served => line.served_at = Some(now),
    }
}

fn step_back(line: &mut Line, now: Time) {
    let (state, since) = match line.kitchen_state {
        KitchenState::Waiting => return,
        KitchenState::Cooking => {
            line.cooking_at = None;
            (KitchenState::Waiting, line.fired_at)
        }
        KitchenState::Cooked => {
            line.cooked_at = None;
            (KitchenState::Cooking, line.cooking_at)
        }
        KitchenState::Served => {
            line.served_at = None;
            (KitchenState::Cooked, line.cooked_at)
        }
    };
    line.kitchen_state = state;
    line.state_since = since.unwrap_or(line.added_at);
    line.recalled_at = Some(now);
}
