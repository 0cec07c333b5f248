//! Views whose types are forgotten, so that the client carries little code for each.
//!
//! A view of ours is hydrated in one go or built by the browser, never in steps, and one that is
//! rendered again is replaced whole. Leptos forgets a type by keeping code for every way to
//! render it; [`Erase`] keeps three, and leptos is handed one type, [`Part`], for all of them.

use std::future::{Future, ready};

use leptos::attr::Attribute;
use leptos::attr::any_attribute::AnyAttribute;
use leptos::prelude::{AddAnyAttr, AnyView, IntoAny, Render, RenderHtml};
use leptos::tachys::hydration::Cursor;
use leptos::tachys::renderer::types::{Element, Node};
use leptos::tachys::view::{Mountable, Position, PositionState};

/// Whether this is the client: known when it is compiled.
const IN_BROWSER: bool = matches!(std::env::consts::ARCH.as_bytes(), b"wasm32");

/// Forgets the type of a view.
pub trait Erase: RenderHtml + Sized {
    /// Of one that the server renders and the browser hydrates.
    fn erased(self) -> AnyView;
    /// Of one that appears in the browser only: what nobody sees before the first data.
    fn fresh(self) -> AnyView;
}

impl<V: RenderHtml> Erase for V {
    fn erased(self) -> AnyView {
        forget(Box::new(Whole::<V::Owned, true>(self.into_owned())))
    }

    fn fresh(self) -> AnyView {
        forget(Box::new(Whole::<V::Owned, false>(self.into_owned())))
    }
}

fn forget(view: Box<dyn Forgotten>) -> AnyView {
    Part(view).into_any()
}

/// What is left of a view whose type is forgotten.
trait Forgotten: Send {
    fn build(self: Box<Self>) -> Mounted;
    fn hydrate(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> Mounted;
    fn write(self: Box<Self>, html: &mut String, position: &mut Position, how: Writing);
}

/// How the server writes a view.
struct Writing {
    escape: bool,
    mark_branches: bool,
    attributes: Vec<AnyAttribute>,
}

struct Whole<V, const HYDRATES: bool>(V);

impl<V: RenderHtml + 'static, const HYDRATES: bool> Forgotten for Whole<V, HYDRATES> {
    fn build(self: Box<Self>) -> Mounted {
        Mounted(Box::new(self.0.build()))
    }

    fn hydrate(self: Box<Self>, cursor: &Cursor, position: &PositionState) -> Mounted {
        if HYDRATES {
            Mounted(Box::new(self.0.hydrate::<true>(cursor, position)))
        } else {
            // The server never renders it, so that there is nothing to hydrate from.
            self.build()
        }
    }

    fn write(self: Box<Self>, html: &mut String, position: &mut Position, how: Writing) {
        // Said aloud, so that the client does not carry what writes HTML for each type.
        if !IN_BROWSER {
            let Writing {
                escape,
                mark_branches,
                attributes,
            } = how;
            self.0
                .to_html_with_buf(html, position, escape, mark_branches, attributes);
        }
    }
}

/// A view on the page.
struct Mounted(Box<dyn Mountable>);

impl Mountable for Mounted {
    fn unmount(&mut self) {
        self.0.unmount();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        self.0.mount(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        self.0.insert_before_this(child)
    }

    fn elements(&self) -> Vec<Element> {
        self.0.elements()
    }
}

struct Part(Box<dyn Forgotten>);

impl Render for Part {
    type State = Mounted;

    fn build(self) -> Mounted {
        self.0.build()
    }

    fn rebuild(self, state: &mut Mounted) {
        let mut next = self.0.build();
        state.insert_before_this(&mut next);
        state.unmount();
        *state = next;
    }
}

impl AddAnyAttr for Part {
    type Output<Added: Attribute> = Self;

    /// Our parts take no attributes from outside.
    fn add_any_attr<Added: Attribute>(self, _: Added) -> Self {
        self
    }
}

impl RenderHtml for Part {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    /// Nothing on a page of ours waits for data.
    fn resolve(self) -> impl Future<Output = Self> + Send {
        ready(self)
    }

    fn to_html_with_buf(
        self,
        buf: &mut String,
        position: &mut Position,
        escape: bool,
        mark_branches: bool,
        extra_attrs: Vec<AnyAttribute>,
    ) {
        let how = Writing {
            escape,
            mark_branches,
            attributes: extra_attrs,
        };
        self.0.write(buf, position, how);
    }

    fn hydrate<const FROM_SERVER: bool>(
        self,
        cursor: &Cursor,
        position: &PositionState,
    ) -> Mounted {
        self.0.hydrate(cursor, position)
    }

    fn into_owned(self) -> Self {
        self
    }
}
