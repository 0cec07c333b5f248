//! What can go wrong between a screen and the server, by dice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Reproducible chance (splitmix64).
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, sides: usize) -> usize {
        usize::try_from(self.roll() % sides.max(1) as u64).unwrap()
    }

    pub fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Arrives,
    Dropped,
    Twice,
    /// It arrives after frames that were sent later.
    Held,
    /// The stream breaks before it.
    Cut,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answering {
    After(Duration),
    Never,
}

/// Bad weather, shared by the screens of a scenario, until it is over.
#[derive(Clone, Debug, Default)]
pub struct Storm(Arc<AtomicBool>);

impl Storm {
    pub fn begin() -> Self {
        Self(Arc::new(AtomicBool::new(true)))
    }

    pub fn end(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    fn rages(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    pub fn frame(&self, dice: &mut Dice) -> Fate {
        if !self.rages() {
            return Fate::Arrives;
        }
        match dice.below(100) {
            0..6 => Fate::Dropped,
            6..12 => Fate::Twice,
            12..20 => Fate::Held,
            20..22 => Fate::Cut,
            _ => Fate::Arrives,
        }
    }

    pub fn request(&self, dice: &mut Dice) -> Answering {
        if !self.rages() {
            return Answering::After(Duration::ZERO);
        }
        let late = match dice.below(10) {
            0 => return Answering::Never,
            // Long after others that were asked for later.
            1 | 2 => dice.below(300),
            _ => dice.below(15),
        };
        Answering::After(Duration::from_millis(late as u64))
    }
}
