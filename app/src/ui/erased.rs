//! Views whose types are forgotten, so that the client carries little code for each.
//!
//! A view of ours is hydrated in one go or built by the browser, never in steps, and one that is
//! rendered again is replaced whole. Forgetting a view's type through [`Erase`] keeps the code
//! for the other ways out of the client; that is a fourth of it.

use std::future::Future;

use leptos::attr::Attribute;
use leptos::attr::any_attribute::AnyAttribute;
use leptos::prelude::{AddAnyAttr, AnyView, IntoAny, Render, RenderHtml};
use leptos::tachys::hydration::Cursor;
use leptos::tachys::ssr::StreamBuilder;
use leptos::tachys::view::{Mountable, Position, PositionState};

/// Forgets the type of a view.
pub trait Erase: RenderHtml + Sized {
    /// Of one that the server renders and the browser hydrates.
    fn erased(self) -> AnyView;
    /// Of one that appears in the browser only: what nobody sees before the first data.
    fn fresh(self) -> AnyView;
}

impl<V: RenderHtml> Erase for V {
    fn erased(self) -> AnyView {
        Whole::<V, true>(self).into_any()
    }

    fn fresh(self) -> AnyView {
        Whole::<V, false>(self).into_any()
    }
}

struct Whole<V, const HYDRATES: bool>(V);

impl<V: RenderHtml, const HYDRATES: bool> Render for Whole<V, HYDRATES> {
    type State = V::State;

    fn build(self) -> Self::State {
        self.0.build()
    }

    fn rebuild(self, state: &mut Self::State) {
        let mut next = self.0.build();
        state.insert_before_this(&mut next);
        state.unmount();
        *state = next;
    }
}

impl<V: RenderHtml, const HYDRATES: bool> AddAnyAttr for Whole<V, HYDRATES> {
    type Output<Added: Attribute> = Self;

    /// Our parts take no attributes from outside.
    fn add_any_attr<Added: Attribute>(self, _: Added) -> Self::Output<Added> {
        self
    }
}

impl<V: RenderHtml, const HYDRATES: bool> RenderHtml for Whole<V, HYDRATES> {
    type AsyncOutput = Whole<V::AsyncOutput, HYDRATES>;
    type Owned = Whole<V::Owned, HYDRATES>;

    const MIN_LENGTH: usize = V::MIN_LENGTH;
    const EXISTS: bool = V::EXISTS;

    fn dry_resolve(&mut self) {
        self.0.dry_resolve();
    }

    fn resolve(self) -> impl Future<Output = Self::AsyncOutput> + Send {
        let resolved = self.0.resolve();
        async move { Whole(resolved.await) }
    }

    fn html_len(&self) -> usize {
        self.0.html_len()
    }

    fn to_html_with_buf(
        self,
        buf: &mut String,
        position: &mut Position,
        escape: bool,
        mark_branches: bool,
        extra_attrs: Vec<AnyAttribute>,
    ) {
        self.0
            .to_html_with_buf(buf, position, escape, mark_branches, extra_attrs);
    }

    fn to_html_async_with_buf<const OUT_OF_ORDER: bool>(
        self,
        buf: &mut StreamBuilder,
        position: &mut Position,
        escape: bool,
        mark_branches: bool,
        extra_attrs: Vec<AnyAttribute>,
    ) {
        let inner = self.0;
        inner.to_html_async_with_buf::<OUT_OF_ORDER>(
            buf,
            position,
            escape,
            mark_branches,
            extra_attrs,
        );
    }

    fn hydrate<const FROM_SERVER: bool>(
        self,
        cursor: &Cursor,
        position: &PositionState,
    ) -> Self::State {
        if HYDRATES {
            self.0.hydrate::<FROM_SERVER>(cursor, position)
        } else {
            // The server never renders it, so that there is nothing to hydrate from.
            self.0.build()
        }
    }

    fn into_owned(self) -> Self::Owned {
        Whole(self.0.into_owned())
    }
}
