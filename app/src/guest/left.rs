//! The mark that this phone's party has left its table: a page that is loaded again says goodbye
//! again, and never sits down with the next guests. The mark goes when the guest joins anew.

use domain::time::Time;

use crate::browser::device;

/// A party that left so long ago, in milliseconds, is of another evening: who opens the table's
/// address then is a new guest.
const EVENING_MS: i64 = 3 * 60 * 60 * 1_000;

fn name(code: &str) -> String {
    ["jumun_left:", code].concat()
}

/// The party has left the table of that code.
pub fn mark(code: &str, now: Time) {
    device::keep(&name(code), &now.0.to_string());
}

/// This phone has joined anew.
pub fn unmark(code: &str) {
    device::forget(&name(code));
}

/// Whether the page has to say goodbye again.
#[must_use]
pub fn is_marked(code: &str, now: Time) -> bool {
    let at = device::recall(&name(code)).and_then(|text| text.parse().ok());
    at.is_some_and(|at| holds(Time(at), now, device::is_brought_back()))
}

/// Whether a mark made `at` still holds. A page that the browser brought back is no visit, however
/// late: a tab found again at home.
fn holds(at: Time, now: Time, brought_back: bool) -> bool {
    brought_back || now.since(at) < EVENING_MS
}

mod tests {
    #![cfg(test)]

    use super::*;

    #[test]
    fn a_mark_holds_for_an_evening_and_for_a_page_that_was_brought_back() {
        let at = Time(1_770_000_000_000);
        let holds = |ms: i64, brought_back| holds(at, at.plus(ms), brought_back);
        assert!(holds(0, false) && holds(EVENING_MS - 1, false));
        assert!(!holds(EVENING_MS, false), "a new guest");
        assert!(holds(24 * EVENING_MS, true), "nobody has scanned the code");
        assert!(holds(-1, false), "a clock that was set back");
    }
}
