//! Where a connection stands, and the one invariant of delivery.
//!
//! Pure: it is told what the ring and the database hold and says what may be written.

use domain::event::ReloadReason;
use domain::stream::EventId;

/// How a connection begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Everything after the cursor follows.
    Resumed,
    /// Nothing was seen yet: live from the ring's position.
    Fresh,
    /// One `RELOAD_REQUIRED`, then live from the ring's position.
    Reload(ReloadReason),
}

impl Opening {
    /// As it is named in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Resumed => "resumed",
            Self::Fresh => "fresh",
            Self::Reload(_) => "reload",
        }
    }
}

/// What is known when a connection opens. The ring's position was noted before the
/// database was read.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The ring's position P.
    pub position: EventId,
    /// The store's last committed event.
    pub database: EventId,
    /// The oldest event that is kept; `None` when none is.
    pub first_kept: Option<u64>,
}

/// Decides how a connection with this cursor begins; `None` is a cursor that is no event
/// id. At most `replay` events are sent to catch up.
#[must_use]
pub fn open(cursor: Option<EventId>, known: Known, replay: u64) -> Opening {
    let Some(cursor) = cursor else {
        return Opening::Reload(ReloadReason::HistoryExpired);
    };
    if cursor == EventId::NONE {
        return Opening::Fresh;
    }
    if cursor.epoch != known.database.epoch {
        return Opening::Reload(ReloadReason::EpochChanged);
    }
    if cursor.seq > known.database.seq {
        return Opening::Reload(ReloadReason::CursorAhead);
    }
    let first_kept = known.first_kept.unwrap_or(known.database.seq + 1);
    if cursor.seq + 1 < first_kept {
        return Opening::Reload(ReloadReason::HistoryExpired);
    }
    if known.position.seq.saturating_sub(cursor.seq) > replay {
        return Opening::Reload(ReloadReason::TooManyEvents);
    }
    Opening::Resumed
}

/// What may happen to an event that is about to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the next one: write it.
    Next,
    /// It was written already: drop it.
    Seen,
    /// Events before it are missing: read them from history first.
    Hole,
    /// It is of another epoch: nothing may follow.
    OtherEpoch,
}

/// The invariant at the one place that writes: after `last` comes `last + 1`.
#[must_use]
pub fn judge(last: EventId, next: EventId) -> Verdict {
    if last.epoch != next.epoch {
        Verdict::OtherEpoch
    } else if next.seq <= last.seq {
        Verdict::Seen
    } else if next.seq == last.seq + 1 {
        Verdict::Next
    } else {
        Verdict::Hole
    }
}

#[cfg(test)]
mod tests {
    use domain::stream::Epoch;
    use rstest::rstest;

    use super::*;

    fn id(epoch: u32, seq: u64) -> EventId {
        EventId {
            epoch: Epoch(epoch),
            seq,
        }
    }

    fn known(first_kept: Option<u64>) -> Known {
        Known {
            position: id(1, 500),
            database: id(1, 510),
            first_kept,
        }
    }

    #[rstest]
    #[case::nothing_seen_yet(EventId::NONE, Opening::Fresh)]
    #[case::just_behind(id(1, 499), Opening::Resumed)]
    #[case::at_the_ring(id(1, 500), Opening::Resumed)]
    #[case::ahead_of_the_ring_only(id(1, 510), Opening::Resumed)]
    #[case::ahead_of_the_database(id(1, 511), Opening::Reload(ReloadReason::CursorAhead))]
    #[case::three_hundred(id(1, 200), Opening::Resumed)]
    #[case::one_more(id(1, 199), Opening::Reload(ReloadReason::TooManyEvents))]
    #[case::other_epoch(id(2, 500), Opening::Reload(ReloadReason::EpochChanged))]
    #[case::just_kept(id(1, 149), Opening::Reload(ReloadReason::TooManyEvents))]
    #[case::no_longer_kept(id(1, 148), Opening::Reload(ReloadReason::HistoryExpired))]
    fn a_cursor_is_resumed_only_when_everything_after_it_can_follow(
        #[case] cursor: EventId,
        #[case] opening: Opening,
    ) {
        assert_eq!(open(Some(cursor), known(Some(150)), 300), opening);
    }

    #[test]
    fn a_store_without_history_resumes_only_its_own_head() {
        assert_eq!(open(Some(id(1, 510)), known(None), 300), Opening::Resumed);
        let expired = Opening::Reload(ReloadReason::HistoryExpired);
        assert_eq!(open(Some(id(1, 509)), known(None), 300), expired);
        assert_eq!(open(None, known(None), 300), expired);
    }

    #[test]
    fn after_n_comes_n_plus_one_and_nothing_else() {
        assert_eq!(judge(id(1, 7), id(1, 8)), Verdict::Next);
        assert_eq!(judge(id(1, 7), id(1, 7)), Verdict::Seen);
        assert_eq!(judge(id(1, 7), id(1, 3)), Verdict::Seen);
        assert_eq!(judge(id(1, 7), id(1, 9)), Verdict::Hole);
        assert_eq!(judge(id(1, 7), id(2, 8)), Verdict::OtherEpoch);
    }
}
