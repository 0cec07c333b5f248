//! Randomness for delays, from a seed that is told.

/// A sequence of random numbers (splitmix64).
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A random number in `low..=high`.
    pub(crate) fn uniform(&mut self, low: i64, high: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let span = high.saturating_sub(low).max(0).unsigned_abs() + 1;
        low.saturating_add((mixed % span).cast_signed())
    }
}
