//! Values on the page that change.

/// A closure for a view, its type forgotten: leptos keeps some 700 bytes of code for each type of
/// closure, here for each type of value. `{varying(move || …)}` and `class:late=varying(move || …)`.
pub fn varying<T>(read: impl FnMut() -> T + Send + 'static) -> Box<dyn FnMut() -> T + Send> {
    Box::new(read)
}
