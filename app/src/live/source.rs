//! One `EventSource` with its closures, kept and dropped together.

use std::rc::Rc;

use domain::event::EventType;
use serde_json::Value;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Event, EventSource, MessageEvent};

use crate::api::json::Json;

/// Control frames whose names are no event's.
const CONTROLS: [&str; 4] = ["ready", "heartbeat", "drain", "partyCleared"];

/// Told of each frame: its name, its data.
type OnFrame = Box<dyn Fn(&str, Json<'_>)>;

/// An open stream; dropped, it is closed.
pub struct Source {
    generation: u64,
    source: EventSource,
    _frame: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(Event)>,
}

impl Source {
    /// Opens a stream. A frame is told by its name and its data; what is not JSON is null. When the
    /// browser refuses to, there is none, and that is told as an error, later: whoever opens is in
    /// the middle of a step.
    pub fn open(
        generation: u64,
        url: &str,
        on_frame: impl Fn(&str, Json<'_>) + 'static,
        on_error: impl Fn() + 'static,
    ) -> Option<Self> {
        let on_error: Rc<dyn Fn()> = Rc::new(on_error);
        let failed = Rc::clone(&on_error);
        let source = Self::listen(generation, url, Box::new(on_frame), on_error);
        if source.is_none() {
            spawn_local(async move { failed() });
        }
        source
    }

    fn listen(
        generation: u64,
        url: &str,
        on_frame: OnFrame,
        on_error: Rc<dyn Fn()>,
    ) -> Option<Self> {
        let source = EventSource::new(url).ok()?;
        let frame = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            on_frame(&event.type_(), Json(&data(&event)));
        });
        let error = Closure::<dyn FnMut(Event)>::new(move |_| on_error());
        let names = EventType::ALL
            .iter()
            .map(|event_type| event_type.name())
            .chain(CONTROLS);
        for name in names {
            let listener = frame.as_ref().unchecked_ref();
            source
                .add_event_listener_with_callback(name, listener)
                .ok()?;
        }
        source.set_onerror(Some(error.as_ref().unchecked_ref()));
        Some(Self {
            generation,
            source,
            _frame: frame,
            _error: error,
        })
    }

    /// Of the opening.
    pub fn generation(&self) -> u64 {
        self.generation
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.source.set_onerror(None);
        self.source.close();
    }
}

fn data(event: &MessageEvent) -> Value {
    let data = event.data().as_string().unwrap_or_default();
    serde_json::from_str(&data).unwrap_or(Value::Null)
}
