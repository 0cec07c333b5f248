//! What guests order and ask for: through the same rules as staff.

use domain::call::{Call, CallReason, cooldown};
use domain::floor::{Party, Seating, Table};
use domain::guest::GuestTable;
use domain::id::{CallId, ReservationId};
use domain::menu::MenuItem;
use domain::order::{Channel, Line};
use serde::Deserialize;
use uuid::Uuid;

use super::entry::WantedLine;
use super::order::Entry;
use super::{Who, Work};
use crate::service::guest::Phone;
use crate::service::refusal::{Code, Refusal, ServiceError};
use crate::store::call::calls_open_of_party;
use crate::store::floor::{tables, zone_names};
use crate::store::guest::{press_find, press_save};
use crate::store::menu::items_find;

/// `POST /api/guest/orders`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuestPlace {
    /// 1 to 100 lines.
    pub lines: Vec<WantedLine>,
    /// For the whole order.
    #[serde(default)]
    pub note: String,
    /// An open hold to adopt.
    pub rid: Option<ReservationId>,
}

/// `POST /api/guest/calls`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// What for.
    pub reason: CallReason,
}

/// Where the guests with this phone sit.
fn seat(floor: &[Table], phone: &Phone) -> Result<(Party, Table), ServiceError> {
    let table = GuestTable::among(floor, phone.party, phone.table);
    let party = table.and_then(|table| table.party.clone());
    match (party, table) {
        (Some(party), Some(table)) => Ok((party, table.clone())),
        (None, _) | (_, None) => {
            Err(Refusal::new(Code::PartyCleared, "this party has left").into())
        }
    }
}

impl Work {
    fn phone(&self) -> Result<Phone, ServiceError> {
        match &self.actor.who {
            Who::Guest(phone) => Ok(phone.clone()),
            Who::Staff(_) | Who::Newcomer | Who::House => {
                Err(Refusal::new(Code::Forbidden, "only guests do this").into())
            }
        }
    }

    pub(super) async fn guest_place(&mut self, body: GuestPlace) -> Result<(), ServiceError> {
        let phone = self.phone()?;
        let lines = self.guest_lines(body.lines).await?;
        let floor = tables(&mut self.tx, phone.store).await?;
        let (party, table) = seat(&floor, &phone)?;
        let zones = zone_names(&mut self.tx, phone.store).await?;
        let seating = Seating::of(&party, &floor, Some(table.id), &zones);
        self.actor.name = table.name;
        let entry = Entry {
            channel: Channel::Qr,
            seating: Some(seating),
            lines,
            note: body.note,
            rid: body.rid,
        };
        self.place(entry).await
    }

    /// Lines as staff enter them; what is sold out comes back with the items as they are.
    async fn guest_lines(&mut self, wanted: Vec<WantedLine>) -> Result<Vec<Line>, ServiceError> {
        let ids: Vec<_> = wanted.iter().map(|line| line.menu_id).collect();
        match self.lines(wanted).await {
            Err(ServiceError::Refused(refusal)) if refusal.code == Code::SoldOut => {
                let store = self.store().id;
                let items = items_find(&mut self.tx, store, ids).await?;
                let items: Vec<MenuItem> = items.into_values().collect();
                Err(self.refuse_with_items(&items, refusal))
            }
            lines => lines,
        }
    }

    /// The same for the same party while it is open counts up; too soon after the last press,
    /// whatever became of that call, it is refused.
    pub(super) async fn guest_call(&mut self, body: &Ask) -> Result<(), ServiceError> {
        let phone = self.phone()?;
        let floor = tables(&mut self.tx, phone.store).await?;
        let (_, table) = seat(&floor, &phone)?;
        let open = calls_open_of_party(&mut self.tx, phone.store, phone.party).await?;
        let mut same: Vec<Call> = open
            .into_iter()
            .filter(|call| call.reason == body.reason)
            .collect();
        // Joined parties may have called twice: their own table's first.
        same.sort_by_key(|call| call.table_id != table.id);
        let mut known = same.into_iter().next();
        let reason = body.reason.name();
        let last = press_find(&mut self.tx, phone.party, reason).await?;
        if let Some(left) = last.and_then(|last| cooldown(last, self.now)) {
            return Err(self.refuse_call(known.as_ref(), left));
        }
        press_save(&mut self.tx, phone.party, reason, self.now).await?;
        let again = known.as_mut().map(Call::ask_again);
        let call = match (known, again) {
            (Some(call), Some(Ok(()))) => call,
            (Some(_) | None, _) => {
                let id = CallId(Uuid::now_v7());
                Call::request(id, table.id, phone.party, body.reason, self.now)
            }
        };
        self.save_call(&call, true).await
    }

    fn refuse_call(&mut self, known: Option<&Call>, left: i64) -> ServiceError {
        let refusal = Refusal {
            retry_after_ms: Some(left),
            ..Refusal::new(Code::CallCooldown, "somebody was just called for this")
        };
        match known {
            Some(call) => self.refuse_with_call(call, refusal),
            None => refusal.into(),
        }
    }
}
