//! Clocks on the wall of the restaurant: the browser knows the zones.

use std::cell::RefCell;

use domain::time::Time;
use js_sys::{Array, Date, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// Formats in the zone of the page's store.
    static CLOCK: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// From here on [`text`] speaks of this zone, an IANA name, whatever zone the device has. A name
/// the browser does not know is UTC.
pub fn set_zone(time_zone: &str) {
    let clock = format_of(time_zone).or_else(|| format_of("UTC"));
    CLOCK.set(clock);
}

/// The time of day in the store, `HH:MM`; empty before the zone is known.
#[must_use]
pub fn text(time: Time) -> String {
    let date = Date::new(&JsValue::from_f64(time.0 as f64));
    let text = CLOCK.with_borrow(|clock| clock.as_ref()?.call1(&JsValue::UNDEFINED, &date).ok());
    text.and_then(|text| text.as_string()).unwrap_or_default()
}

fn format_of(zone: &str) -> Option<Function> {
    let options = Object::new();
    let pairs = [
        ("timeZone", zone),
        ("hour", "2-digit"),
        ("minute", "2-digit"),
        ("hourCycle", "h23"),
    ];
    for (key, value) in pairs {
        Reflect::set(&options, &key.into(), &value.into()).ok()?;
    }
    // By reflection, so that an unknown zone is an error value and not an exception.
    let intl = Reflect::get(&js_sys::global(), &"Intl".into()).ok()?;
    let constructor = Reflect::get(&intl, &"DateTimeFormat".into()).ok()?;
    let arguments = Array::of2(&"en-GB".into(), &options);
    let format = Reflect::construct(constructor.unchecked_ref::<Function>(), &arguments).ok()?;
    // A getter that is bound to its object.
    Reflect::get(&format, &"format".into())
        .ok()?
        .dyn_into()
        .ok()
}
