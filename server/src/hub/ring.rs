//! The newest frames of a store, encoded once and shared by all its connections.
//!
//! The ring is dense: it holds consecutive numbers of one epoch and nothing else. Each
//! connection pulls from its own position; the ring never knows its readers, so that a
//! stuck one slows nobody.

use std::collections::VecDeque;

use domain::stream::EventId;

use super::frame::Frame;

/// How much a ring holds (realtime, section 5).
#[derive(Clone, Copy, Debug)]
pub struct RingLimits {
    /// Frames at most.
    pub frames: usize,
    /// Bytes of frames at most; the newest frame is held whatever its size.
    pub bytes: usize,
}

impl Default for RingLimits {
    fn default() -> Self {
        Self {
            frames: 2_000,
            bytes: 4 * 1024 * 1024,
        }
    }
}

/// What a connection finds after its own position.
#[derive(Debug)]
pub enum Pull {
    /// The next frames, without a hole.
    Frames(Vec<Frame>),
    /// Nothing yet; or the connection is ahead of this ring, which follows.
    Nothing,
    /// The next frame is no longer held: catch up from history to `head`.
    Behind {
        /// The newest number of the ring.
        head: EventId,
    },
    /// History was replaced since the connection opened: nothing can follow.
    Replaced,
}

/// Counts the histories a ring has shown: another number, another history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generation(u32);

/// The frames `(head - len, head]` of one store.
#[derive(Debug)]
pub struct Ring {
    head: EventId,
    generation: Generation,
    frames: VecDeque<Frame>,
    bytes: usize,
    limits: RingLimits,
}

impl Ring {
    /// An empty ring whose next frame is the one after `head`.
    #[must_use]
    pub fn new(head: EventId, limits: RingLimits) -> Self {
        Self {
            head,
            generation: Generation::default(),
            frames: VecDeque::new(),
            bytes: 0,
            limits,
        }
    }

    /// A ring that holds the newest frames up to `head`, as far back as they are dense.
    #[must_use]
    pub fn filled(head: EventId, newest: Vec<Frame>, limits: RingLimits) -> Self {
        let mut dense = VecDeque::new();
        let mut next = head.seq;
        for frame in newest.into_iter().rev() {
            if frame.id != head.at(next) {
                break;
            }
            next -= 1;
            dense.push_front(frame);
        }
        let mut ring = Self::new(head.at(next), limits);
        for frame in dense {
            ring.push(frame);
        }
        ring
    }

    /// The id of the newest frame, held or not.
    #[must_use]
    pub fn head(&self) -> EventId {
        self.head
    }

    /// The history that connections belong to which open now.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// Goes on after `head` of the same history, whose frames up to there cannot be had.
    pub fn skip_to(&mut self, head: EventId) {
        self.head = head;
        self.frames.clear();
        self.bytes = 0;
    }

    /// Begins another history after `head`.
    pub fn replace(&mut self, head: EventId) {
        self.skip_to(head);
        self.generation = Generation(self.generation.0.wrapping_add(1));
    }

    /// Frames and bytes held.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.frames.len(), self.bytes)
    }

    /// Adds the frame after [`head`](Self::head); any other is refused with `false`.
    pub fn push(&mut self, frame: Frame) -> bool {
        if frame.id.epoch != self.head.epoch || frame.id.seq != self.head.seq + 1 {
            return false;
        }
        self.head = frame.id;
        self.bytes += frame.bytes.len();
        self.frames.push_back(frame);
        while self.frames.len() > self.limits.frames.max(1)
            || (self.bytes > self.limits.bytes && self.frames.len() > 1)
        {
            if let Some(oldest) = self.frames.pop_front() {
                self.bytes -= oldest.bytes.len();
            }
        }
        true
    }

    /// Up to `max` frames after `last`, for a connection that opened in `generation`.
    #[must_use]
    pub fn pull(&self, generation: Generation, last: EventId, max: usize) -> Pull {
        let head = self.head;
        if generation != self.generation || last.epoch != head.epoch {
            return Pull::Replaced;
        }
        let Some(missing) = head
            .seq
            .checked_sub(last.seq)
            .filter(|missing| *missing > 0)
        else {
            return Pull::Nothing;
        };
        let first = usize::try_from(missing)
            .ok()
            .and_then(|n| self.frames.len().checked_sub(n));
        match first {
            Some(first) => Pull::Frames(self.frames.range(first..).take(max).cloned().collect()),
            None => Pull::Behind { head },
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use domain::stream::Epoch;

    use super::*;
    use crate::hub::face::LazyFace;

    fn id(seq: u64) -> EventId {
        EventId {
            epoch: Epoch(1),
            seq,
        }
    }

    fn frame(seq: u64, size: usize) -> Frame {
        Frame {
            id: id(seq),
            at: 0,
            bytes: Bytes::from(vec![b'x'; size]),
            face: LazyFace::default(),
        }
    }

    fn ring(frames: usize, bytes: usize) -> Ring {
        Ring::new(id(10), RingLimits { frames, bytes })
    }

    fn seqs(pull: Pull) -> Vec<u64> {
        match pull {
            Pull::Frames(frames) => frames.iter().map(|frame| frame.id.seq).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_the_next_number_enters() {
        let mut ring = ring(5, 1_000);
        assert!(!ring.push(frame(12, 1)));
        assert!(!ring.push(frame(10, 1)));
        assert!(!ring.push(Frame {
            id: EventId {
                epoch: Epoch(2),
                seq: 11
            },
            ..frame(11, 1)
        }));
        assert!(ring.push(frame(11, 1)));
        assert_eq!(ring.head(), id(11));
    }

    #[test]
    fn each_connection_pulls_from_its_own_position() {
        let mut ring = ring(5, 1_000);
        for seq in 11..=14 {
            ring.push(frame(seq, 1));
        }
        assert_eq!(seqs(ring.pull(Generation(0), id(10), 9)), [11, 12, 13, 14]);
        assert_eq!(seqs(ring.pull(Generation(0), id(12), 9)), [13, 14]);
        assert_eq!(seqs(ring.pull(Generation(0), id(10), 2)), [11, 12]);
        assert!(matches!(ring.pull(Generation(0), id(14), 9), Pull::Nothing));
        assert!(matches!(ring.pull(Generation(0), id(20), 9), Pull::Nothing));
    }

    #[test]
    fn a_filled_ring_begins_where_its_frames_are_dense() {
        let limits = RingLimits::default();
        let newest = vec![frame(3, 1), frame(5, 1), frame(6, 1)];
        let ring = Ring::filled(id(6), newest, limits);
        assert_eq!(seqs(ring.pull(Generation(0), id(4), 9)), [5, 6]);
        assert!(matches!(
            ring.pull(Generation(0), id(3), 9),
            Pull::Behind { .. }
        ));
        assert_eq!(Ring::filled(id(9), vec![frame(8, 1)], limits).head(), id(9));
        assert_eq!(Ring::filled(id(0), vec![], limits).head(), id(0));
    }

    #[test]
    fn a_position_older_than_the_ring_is_behind_never_skipped() {
        let mut ring = ring(2, 1_000);
        assert!(matches!(
            ring.pull(Generation(0), id(9), 9),
            Pull::Behind { .. }
        ));
        for seq in 11..=13 {
            ring.push(frame(seq, 1));
        }
        assert!(
            matches!(ring.pull(Generation(0), id(10), 9), Pull::Behind { head } if head == id(13))
        );
        assert_eq!(seqs(ring.pull(Generation(0), id(11), 9)), [12, 13]);
    }

    #[test]
    fn bytes_have_a_ceiling_and_the_newest_frame_is_always_held() {
        let mut ring = ring(100, 10);
        for seq in 11..=20 {
            ring.push(frame(seq, 4));
        }
        assert_eq!(ring.size(), (2, 8));
        ring.push(frame(21, 50));
        assert_eq!(ring.size(), (1, 50));
        assert_eq!(seqs(ring.pull(Generation(0), id(20), 9)), [21]);
    }

    #[test]
    fn a_replaced_history_is_told_apart_whatever_the_number() {
        let mut ring = ring(2, 10);
        let other = EventId {
            epoch: Epoch(2),
            seq: 11,
        };
        assert!(matches!(ring.pull(Generation(0), other, 9), Pull::Replaced));
        let opened = ring.generation();
        ring.replace(id(10));
        assert!(matches!(ring.pull(opened, id(10), 9), Pull::Replaced));
        assert!(matches!(
            ring.pull(ring.generation(), id(10), 9),
            Pull::Nothing
        ));
    }

    #[test]
    fn frames_that_cannot_be_had_leave_their_readers_behind() {
        let mut ring = ring(5, 100);
        ring.push(frame(11, 1));
        ring.skip_to(id(15));
        assert!(matches!(
            ring.pull(Generation(0), id(11), 9),
            Pull::Behind { .. }
        ));
        assert!(ring.push(frame(16, 1)));
        assert_eq!(seqs(ring.pull(Generation(0), id(15), 9)), [16]);
    }
}
