//! A line: one menu item with quantity, options and note, as it was when it was ordered.

use serde::{Deserialize, Serialize};

use crate::id::{LineId, MenuId, OptionId, StationId};
use crate::money::Amount;
use crate::text::LocalText;
use crate::time::Time;

/// How far the kitchen is with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum KitchenState {
    /// 조리 대기
    Waiting,
    /// 조리 중
    Cooking,
    /// 조리 완료
    Cooked,
    /// 서빙 완료
    Served,
}

/// An option as it was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChosenOption {
    /// Of the menu.
    pub id: OptionId,
    /// Copied when ordered.
    pub name: LocalText,
    /// Copied when ordered.
    pub price_delta: Amount,
}

/// Entered wrongly, not made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Voided {
    /// Why.
    pub reason: String,
    /// Name of who voided it.
    pub by: String,
    /// When.
    pub at: Time,
    /// When the kitchen saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged_at: Option<Time>,
}

/// One menu item with quantity, options and note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// Its identity, also after moving: the kitchen never cooks it twice.
    pub id: LineId,
    /// Of the menu.
    pub menu_id: MenuId,
    /// Copied when ordered.
    pub name: LocalText,
    /// Copied when ordered; without options.
    pub unit_price: Amount,
    /// 1..=999
    pub quantity: u32,
    /// Copied when ordered.
    pub options: Vec<ChosenOption>,
    /// For the cook.
    pub note: String,
    /// For the cook, in red.
    pub allergy: String,
    /// Where it is cooked.
    pub station_id: StationId,
    /// `(unit_price + Σ price_delta) × quantity`; 0 when voided.
    pub amount: Amount,
    /// How far the kitchen is; `Waiting` before it is fired too.
    pub kitchen_state: KitchenState,
    /// Since when it is in that state; a recall puts the earlier time back.
    pub state_since: Time,
    /// When it was ordered.
    pub added_at: Time,
    /// When it was sent to the kitchen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fired_at: Option<Time>,
    /// When cooking began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooking_at: Option<Time>,
    /// When it was ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooked_at: Option<Time>,
    /// When it was served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_at: Option<Time>,
    /// When it was brought back; forgotten when it moves on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recalled_at: Option<Time>,
    /// When its note was changed after it was ordered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note_changed_at: Option<Time>,
    /// Set when it was voided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided: Option<Voided>,
}

impl Line {
    /// Whether the kitchen has it.
    #[must_use]
    pub fn is_fired(&self) -> bool {
        self.fired_at.is_some()
    }

    /// Voided after firing, and the kitchen has not acknowledged it.
    #[must_use]
    pub fn is_open_void(&self) -> bool {
        let unseen = |voided: &Voided| voided.acknowledged_at.is_none();
        self.is_fired() && self.voided.as_ref().is_some_and(unseen)
    }

    /// Sends it to the kitchen, once.
    pub(crate) fn fire(&mut self, now: Time) {
        if self.voided.is_none() && self.fired_at.is_none() {
            self.fired_at = Some(now);
            self.state_since = now;
        }
    }

    /// The amount it has when it is not voided. The entry has checked the bounds.
    pub(crate) fn full_amount(&self) -> Amount {
        let options: i64 = self.options.iter().map(|option| option.price_delta.0).sum();
        Amount((self.unit_price.0 + options) * i64::from(self.quantity))
    }
}
