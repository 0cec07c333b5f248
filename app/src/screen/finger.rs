//! A finger that comes down twice. What it put there with the first tap – another button, the next
//! row, the floor below a drawer – is not what the second one was meant for.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MouseEvent, PointerEvent};

/// For so long after a tap, in milliseconds, another one at the same place is its echo.
const ECHO_MS: f64 = 500.0;
/// The same, for rows that may have moved.
const REST: Duration = Duration::from_millis(500);
/// So near, in CSS px, is the same place: half of the smallest button.
const NEAR_PX: u32 = 24;

/// A tap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tap {
    /// From the left of the window, in CSS px.
    pub x: i32,
    /// From its top, in CSS px.
    pub y: i32,
    /// Since the page began, in milliseconds.
    pub at: f64,
    /// In order entry, where the same thing is pressed many times.
    pub in_entry: bool,
    /// Of a mouse, and the first of its clicks: browsers count those of a mouse, and not those of
    /// every finger.
    pub is_first: bool,
}

impl Tap {
    fn is_echo_of(self, first: Self) -> bool {
        let near = |one: i32, other: i32| one.abs_diff(other) < NEAR_PX;
        let same_place = near(self.x, first.x) && near(self.y, first.y);
        let counted = self.is_first || (self.in_entry && first.in_entry);
        same_place && self.at - first.at < ECHO_MS && !counted
    }
}

/// What is remembered of taps: the last one that did something.
#[derive(Debug, Default)]
pub struct Taps(Option<Tap>);

impl Taps {
    /// Whether `tap` does something; the echo of another one does not.
    pub fn counts(&mut self, tap: Tap) -> bool {
        let counts = !self.0.is_some_and(|first| tap.is_echo_of(first));
        if counts {
            self.0 = Some(tap);
        }
        counts
    }

    /// The last tap moved nothing: the next one at its place is meant as it is.
    pub fn stays(&mut self) {
        self.0 = None;
    }
}

/// The finger on a screen.
#[derive(Clone, Copy)]
pub struct Finger {
    taps: StoredValue<Taps>,
    resting: RwSignal<bool>,
}

impl Finger {
    /// Of a page that nobody has touched.
    #[must_use]
    pub fn new() -> Self {
        Self {
            taps: StoredValue::new(Taps::default()),
            resting: RwSignal::new(false),
        }
    }

    /// Hears each tap on the page before what it is on; an echo goes no further. For as long as
    /// there is the page.
    pub fn listen(self, entry: RwSignal<bool>) {
        let hear = move |event: MouseEvent| {
            // Keys press too, at no place.
            if event.detail() == 0 {
                return;
            }
            let is_mouse = |event: &PointerEvent| event.pointer_type() == "mouse";
            let tap = Tap {
                x: event.client_x(),
                y: event.client_y(),
                at: event.time_stamp(),
                in_entry: entry.try_get_untracked() == Some(true),
                is_first: event.detail() == 1 && event.dyn_ref().is_some_and(is_mouse),
            };
            if self.taps.try_update_value(|taps| taps.counts(tap)) == Some(false) {
                event.stop_propagation();
                event.prevent_default();
            }
        };
        let hear = Closure::<dyn Fn(MouseEvent)>::new(hear).into_js_value();
        // Refused never: a window takes every listener.
        window()
            .add_event_listener_with_callback_and_bool("click", hear.unchecked_ref(), true)
            .unwrap_or_default();
    }

    /// What was tapped is still there, and is tapped as often as somebody likes.
    pub fn stays(self) {
        self.taps.update_value(Taps::stays);
    }

    /// A finger or a key on a row of a list that it shortens or changes. `false` just after
    /// another one, when the rows have moved and nobody has seen it yet.
    #[must_use]
    pub fn takes(self) -> bool {
        if self.resting.get_untracked() {
            return false;
        }
        self.resting.set(true);
        let over = move || {
            self.resting.try_set(false);
        };
        set_timeout(over, REST);
        true
    }

    /// Whether rows take no press, for a moment; tracked.
    #[must_use]
    pub fn rests(self) -> bool {
        self.resting.get()
    }
}

mod tests {
    #![cfg(test)]

    use super::*;

    const FIRST: Tap = Tap {
        x: 300,
        y: 40,
        at: 1_000.0,
        in_entry: false,
        is_first: false,
    };

    /// Whether each of the taps does something.
    fn counted(taps: &[Tap]) -> Vec<bool> {
        let mut known = Taps::default();
        taps.iter().map(|tap| known.counts(*tap)).collect()
    }

    #[test]
    fn a_second_tap_at_the_same_place_does_nothing_for_half_a_second() {
        let after = |ms: f64| Tap {
            x: 310,
            y: 31,
            at: FIRST.at + ms,
            ..FIRST
        };
        let taps = [FIRST, after(90.0), after(499.0), after(500.0)];
        assert_eq!(counted(&taps), [true, false, false, true]);
    }

    #[test]
    fn a_tap_elsewhere_does_something_and_so_does_the_one_that_comes_back() {
        let elsewhere = Tap { y: 64, ..FIRST };
        assert_eq!(counted(&[FIRST, elsewhere, FIRST]), [true; 3]);
    }

    #[test]
    fn what_stays_is_tapped_as_often_as_somebody_likes() {
        let mut taps = Taps::default();
        assert!(taps.counts(FIRST));
        taps.stays();
        assert!(taps.counts(FIRST));
        assert!(!taps.counts(FIRST));
    }

    #[test]
    fn a_mouse_says_itself_which_click_is_the_second() {
        let click = Tap {
            is_first: true,
            ..FIRST
        };
        assert_eq!(counted(&[click, click, FIRST]), [true, true, false]);
    }

    #[test]
    fn order_entry_counts_every_tap_but_the_echo_of_the_one_that_opened_or_closed_it() {
        let inside = Tap {
            in_entry: true,
            ..FIRST
        };
        assert_eq!(counted(&[inside, inside]), [true, true]);
        assert_eq!(counted(&[FIRST, inside]), [true, false]);
        assert_eq!(counted(&[inside, FIRST]), [true, false]);
    }
}
