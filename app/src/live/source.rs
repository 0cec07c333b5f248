//! One `EventSource` with its closures, kept and dropped together.

use domain::event::{EventType, Frame};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventSource, MessageEvent};

use crate::api::json::Json;

/// Control frames whose names are no event's.
const CONTROLS: [&str; 3] = ["ready", "heartbeat", "drain"];

pub(super) struct Source {
    generation: u64,
    source: EventSource,
    _frame: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(Event)>,
}

impl Source {
    /// Opens a stream; `None` when the browser refuses to.
    pub(super) fn open(
        generation: u64,
        url: &str,
        on_frame: impl Fn(Frame) + 'static,
        on_error: impl Fn() + 'static,
    ) -> Option<Self> {
        let source = EventSource::new(url).ok()?;
        let frame = Closure::<dyn FnMut(MessageEvent)>::new(move |event| on_frame(read(&event)));
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

    pub(super) fn generation(&self) -> u64 {
        self.generation
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.source.set_onerror(None);
        self.source.close();
    }
}

fn read(event: &MessageEvent) -> Frame {
    let data = event.data().as_string().unwrap_or_default();
    match serde_json::from_str::<serde_json::Value>(&data) {
        Ok(value) => Frame::read(&event.type_(), Json(&value)),
        Err(_) => Frame::Bad(None),
    }
}
