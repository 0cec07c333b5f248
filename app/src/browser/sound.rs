//! The bell. A browser lets a page sound only after somebody touched it.

use std::cell::RefCell;

use web_sys::{AudioContext, AudioContextState, OscillatorType};

thread_local! {
    static SPEAKER: RefCell<Option<AudioContext>> = const { RefCell::new(None) };
}

/// Two notes, each: frequency in Hz, start and end in seconds.
const NOTES: [(f32, f64, f64); 2] = [(880.0, 0.0, 0.22), (1174.7, 0.18, 0.6)];
const LOUDNESS: f32 = 0.5;

fn speaker() -> Option<AudioContext> {
    SPEAKER.with_borrow_mut(|speaker| {
        if speaker.is_none() {
            *speaker = AudioContext::new().ok();
        }
        speaker.clone()
    })
}

/// Whether the browser waits for a touch before it plays.
#[must_use]
pub fn is_locked() -> bool {
    speaker().is_some_and(|speaker| speaker.state() == AudioContextState::Suspended)
}

/// Called from a touch: from here on the page may sound.
pub fn unlock() {
    if let Some(speaker) = speaker() {
        // A promise: whether it worked shows in `is_locked`.
        drop(speaker.resume());
    }
}

/// Rings once. A device without sound stays silent; the border pulses all the same.
pub fn ring() {
    if let Some(speaker) = speaker() {
        for note in NOTES {
            drop(play(&speaker, note));
        }
    }
}

fn play(
    speaker: &AudioContext,
    (frequency, from, to): (f32, f64, f64),
) -> Result<(), wasm_bindgen::JsValue> {
    let now = speaker.current_time();
    let gain = speaker.create_gain()?;
    gain.gain().set_value_at_time(LOUDNESS, now + from)?;
    gain.gain()
        .exponential_ramp_to_value_at_time(0.001, now + to)?;
    gain.connect_with_audio_node(&speaker.destination())?;
    let tone = speaker.create_oscillator()?;
    tone.set_type(OscillatorType::Triangle);
    tone.frequency().set_value(frequency);
    tone.connect_with_audio_node(&gain)?;
    tone.start_with_when(now + from)?;
    tone.stop_with_when(now + to)
}
