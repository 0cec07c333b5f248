//! When the bell rings: once for a new ticket, again every 15 seconds until it is touched.

use domain::time::Time;
use leptos::prelude::*;

use crate::browser::{device, sound};
use crate::live;

/// Between two rings for the same ticket, in milliseconds.
const AGAIN_MS: i64 = 15_000;
/// A burst of tickets rings once, in milliseconds.
const BURST_MS: i64 = 800;
const ON: &str = "jumun_sound";
const REPEAT: &str = "jumun_sound_repeat";

/// The bell and its settings on this device.
#[derive(Clone, Copy)]
pub struct Sounds {
    /// Whether it rings at all.
    pub on: RwSignal<bool>,
    /// Whether it rings again.
    pub repeat: RwSignal<bool>,
    /// The browser waits for a touch.
    pub locked: RwSignal<bool>,
    last: StoredValue<Time>,
}

impl Sounds {
    /// On, until the device says otherwise.
    #[must_use]
    pub fn new() -> Self {
        Self {
            on: RwSignal::new(true),
            repeat: RwSignal::new(true),
            locked: RwSignal::new(false),
            last: StoredValue::new(Time(0)),
        }
    }

    /// Reads the device's choices.
    pub fn begin(self) {
        let chosen = |name| device::recall(name).is_none_or(|value| value != "off");
        self.on.set(chosen(ON));
        self.repeat.set(chosen(REPEAT));
        self.look();
    }

    /// Chooses whether it rings.
    pub fn turn(self, on: bool) {
        self.on.set(on);
        device::keep(ON, if on { "on" } else { "off" });
        self.unlock();
    }

    /// Chooses whether it rings again.
    pub fn turn_repeat(self, on: bool) {
        self.repeat.set(on);
        device::keep(REPEAT, if on { "on" } else { "off" });
    }

    /// Rings, unless it has just rung.
    pub fn ring(self) {
        let now = live::device_now();
        if self.on.get_untracked() && now.since(self.last.get_value()) > BURST_MS {
            self.last.set_value(now);
            sound::ring();
        }
    }

    /// Rings again when its time has come and someone still has to look.
    pub fn remind(self, unseen: bool) {
        let due = live::device_now().since(self.last.get_value()) >= AGAIN_MS;
        if unseen && due && self.repeat.get_untracked() {
            self.ring();
        }
    }

    /// A touch: the browser may let the page sound.
    pub fn unlock(self) {
        if self.on.get_untracked() && self.locked.get_untracked() {
            sound::unlock();
        }
    }

    /// Looks whether the browser still waits for a touch.
    pub fn look(self) {
        let locked = self.on.get_untracked() && sound::is_locked();
        if self.locked.get_untracked() != locked {
            self.locked.set(locked);
        }
    }
}

impl Default for Sounds {
    fn default() -> Self {
        Self::new()
    }
}
