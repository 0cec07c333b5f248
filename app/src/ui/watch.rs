//! Counts renders in tests, where no effect runs.

#![cfg(test)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use leptos::reactive::graph::{
    AnySource, AnySubscriber, ReactiveNode, Subscriber, ToAnySubscriber,
};

/// Somebody who renders a row: counts how often it is told.
#[derive(Default)]
pub struct Renderer(AtomicU32);

impl ReactiveNode for Renderer {
    fn mark_dirty(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn mark_check(&self) {}

    fn mark_subscribers_check(&self) {}

    fn update_if_necessary(&self) -> bool {
        true
    }
}

impl Subscriber for Renderer {
    fn add_source(&self, _: AnySource) {}

    fn clear_sources(&self, _: &AnySubscriber) {}
}

/// Somebody who renders what `track` reads.
pub fn watch(track: impl FnOnce()) -> Arc<Renderer> {
    let renderer = Arc::new(Renderer::default());
    let weak: std::sync::Weak<dyn Subscriber + Send + Sync> =
        Arc::downgrade(&(Arc::clone(&renderer) as Arc<dyn Subscriber + Send + Sync>));
    let subscriber = AnySubscriber(Arc::as_ptr(&renderer) as usize, weak);
    leptos::reactive::graph::WithObserver::with_observer(&subscriber.to_any_subscriber(), track);
    renderer
}

/// How often it was told.
pub fn told(renderer: &Renderer) -> u32 {
    renderer.0.load(Ordering::Relaxed)
}
