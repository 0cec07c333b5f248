//! Something that is there only at times.

use leptos::prelude::*;

use super::Erase;

/// `view` while `condition` holds. It begins hidden: the server renders nothing of it.
pub fn when(
    condition: impl Fn() -> bool + Send + Sync + 'static,
    view: impl Fn() -> AnyView + Send + Sync + 'static,
) -> AnyView {
    boxed(Box::new(condition), Box::new(view))
}

fn boxed(
    condition: Box<dyn Fn() -> bool + Send + Sync>,
    view: Box<dyn Fn() -> AnyView + Send + Sync>,
) -> AnyView {
    let shown = Memo::new(move |_| condition());
    (move || shown.get().then(&view)).erased()
}
