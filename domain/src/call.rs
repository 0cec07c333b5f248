//! A guest's call for staff: requested → accepted → done.

use serde::{Deserialize, Serialize};

use crate::id::{CallId, PartyId, TableId};
use crate::time::Time;

/// What a guest wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallReason {
    /// 직원 호출
    Staff,
    /// 물
    Water,
    /// 앞접시
    SidePlate,
    /// 계산서
    Bill,
}

/// After a call, the same again is refused for this long, in ms.
pub const COOLDOWN: i64 = 30_000;

impl CallReason {
    /// As written in JSON and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Staff => "staff",
            Self::Water => "water",
            Self::SidePlate => "sidePlate",
            Self::Bill => "bill",
        }
    }
}

/// How long guests who called at `last` wait until they may call for the same again, in ms;
/// `None` when they may now.
#[must_use]
pub fn cooldown(last: Time, now: Time) -> Option<i64> {
    let left = (last.0 + COOLDOWN - now.0).min(COOLDOWN);
    (left > 0).then_some(left)
}

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallState {
    /// Nobody has it yet.
    Requested,
    /// Somebody is on the way.
    Accepted,
    /// Finished.
    Done,
}

impl CallState {
    /// As written in JSON and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Accepted => "accepted",
            Self::Done => "done",
        }
    }
}

/// A guest's call. It has no notion of a queue: screens order by `requested_at`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// Its id.
    pub id: CallId,
    /// +1 with every update.
    pub version: u64,
    /// Where the guests sit; it follows them when they move.
    pub table_id: TableId,
    /// Who called.
    pub party_id: PartyId,
    /// What for.
    pub reason: CallReason,
    /// How often they asked while it was open.
    pub count: u32,
    /// How far it is.
    pub state: CallState,
    /// First asked.
    pub requested_at: Time,
    /// Name of who took it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_by: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_at: Option<Time>,
    /// When it was finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done_at: Option<Time>,
}

/// The call is not in a state that allows this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the call is not in a state that allows this")]
pub struct WrongCallState;

impl Call {
    /// A new call.
    #[must_use]
    pub fn request(
        id: CallId,
        table_id: TableId,
        party_id: PartyId,
        reason: CallReason,
        now: Time,
    ) -> Self {
        Self {
            id,
            version: 1,
            table_id,
            party_id,
            reason,
            count: 1,
            state: CallState::Requested,
            requested_at: now,
            accepted_by: None,
            accepted_at: None,
            done_at: None,
        }
    }

    /// Whether staff still has to do with it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state != CallState::Done
    }

    /// The same guests ask again for the same thing.
    ///
    /// # Errors
    /// A call that is done does not count up: a new one is made.
    pub fn ask_again(&mut self) -> Result<(), WrongCallState> {
        match self.state {
            CallState::Requested | CallState::Accepted => {
                self.count = self.count.saturating_add(1);
                self.version += 1;
                Ok(())
            }
            CallState::Done => Err(WrongCallState),
        }
    }

    /// Somebody takes it. `Ok(false)`: the same person has it already.
    ///
    /// # Errors
    /// Somebody else has it, or it is done.
    pub fn accept(&mut self, by: &str, now: Time) -> Result<bool, WrongCallState> {
        match self.state {
            CallState::Requested => {
                self.state = CallState::Accepted;
                self.accepted_by = Some(by.to_owned());
                self.accepted_at = Some(now);
                self.version += 1;
                Ok(true)
            }
            CallState::Accepted if self.accepted_by.as_deref() == Some(by) => Ok(false),
            CallState::Accepted | CallState::Done => Err(WrongCallState),
        }
    }

    /// It is finished. `Ok(false)`: it was already.
    ///
    /// # Errors
    /// Nobody has accepted it yet.
    pub fn finish(&mut self, now: Time) -> Result<bool, WrongCallState> {
        match self.state {
            CallState::Accepted => {
                self.close(now);
                Ok(true)
            }
            CallState::Done => Ok(false),
            CallState::Requested => Err(WrongCallState),
        }
    }

    /// The party has left: whatever state it is in, it is over.
    pub fn close(&mut self, now: Time) {
        self.state = CallState::Done;
        self.done_at = Some(now);
        self.version += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn call() -> Call {
        let id = Uuid::from_u128(7);
        Call::request(
            CallId(id),
            TableId(id),
            PartyId(id),
            CallReason::Water,
            Time(1_000),
        )
    }

    #[test]
    fn a_call_is_requested_accepted_and_done() {
        let mut call = call();
        assert_eq!(call.finish(Time(2_000)), Err(WrongCallState));
        assert_eq!(call.accept("지은", Time(2_000)), Ok(true));
        assert_eq!(call.accept("지은", Time(2_500)), Ok(false));
        assert_eq!(call.accept("민수", Time(2_500)), Err(WrongCallState));
        assert_eq!(
            (call.accepted_by.as_deref(), call.accepted_at),
            (Some("지은"), Some(Time(2_000)))
        );
        assert_eq!(call.finish(Time(3_000)), Ok(true));
        assert_eq!(call.finish(Time(4_000)), Ok(false));
        assert_eq!(
            (call.done_at, call.version, call.is_open()),
            (Some(Time(3_000)), 3, false)
        );
        assert_eq!(call.accept("지은", Time(5_000)), Err(WrongCallState));
        assert_eq!(call.ask_again(), Err(WrongCallState));
    }

    #[test]
    fn the_same_again_waits_half_a_minute() {
        let last = Time(100_000);
        assert_eq!(cooldown(last, Time(100_000)), Some(30_000));
        assert_eq!(cooldown(last, Time(129_999)), Some(1));
        assert_eq!(cooldown(last, Time(130_000)), None);
        assert_eq!(
            cooldown(last, Time(0)),
            Some(COOLDOWN),
            "a clock that was set back locks nobody out"
        );
    }

    #[test]
    fn asking_again_while_open_counts_up() {
        let mut call = call();
        assert_eq!(call.ask_again(), Ok(()));
        assert_eq!(call.accept("지은", Time(2_000)), Ok(true));
        assert_eq!(call.ask_again(), Ok(()));
        assert_eq!(call.count, 3);
    }

    #[test]
    fn clearing_a_party_ends_a_call_in_any_state() {
        let mut call = call();
        call.close(Time(9));
        assert_eq!((call.state, call.done_at), (CallState::Done, Some(Time(9))));
    }
}
