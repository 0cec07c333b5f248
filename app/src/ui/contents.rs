//! What stands inside a part: the children of a component.

use leptos::children::ToChildren;
use leptos::prelude::{AnyView, IntoView};

use super::Erase;

/// Children, their type forgotten as [`Erase`] does it, where leptos' own would keep all of it.
pub struct Contents(Box<dyn FnOnce() -> AnyView + Send>);

impl Contents {
    /// Renders them.
    pub fn view(self) -> AnyView {
        (self.0)()
    }
}

impl<F, V> ToChildren<F> for Contents
where
    F: FnOnce() -> V + Send + 'static,
    V: IntoView,
{
    fn to_children(children: F) -> Self {
        Self(Box::new(move || children().into_view().erased()))
    }
}
