//! The screens of the staff, and who works at which.

use domain::staff::Role;

use crate::i18n::Messages;

/// A screen of the staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// 홀
    Hall,
    /// 카운터
    Counter,
    /// 주방
    Kitchen,
    /// 메뉴
    Menu,
}

/// The screens of a role, the one it works at first.
#[must_use]
pub fn places(role: Role) -> &'static [Place] {
    match role {
        Role::Owner | Role::Manager => &[Place::Hall, Place::Counter, Place::Kitchen, Place::Menu],
        Role::Hall => &[Place::Hall, Place::Counter, Place::Menu],
        Role::Counter => &[Place::Counter, Place::Hall, Place::Menu],
        Role::Kitchen => &[Place::Kitchen, Place::Menu],
    }
}

impl Place {
    /// Its address in a store.
    #[must_use]
    pub fn path(self, store_code: &str) -> String {
        let page = match self {
            Self::Hall => "/hall",
            Self::Counter => "/counter",
            Self::Kitchen => "/kitchen",
            Self::Menu => "/menu",
        };
        ["/", store_code, page].concat()
    }

    /// Its name.
    #[must_use]
    pub fn name(self, messages: &Messages) -> &'static str {
        let [hall, counter, kitchen, menu] = messages.common.places;
        match self {
            Self::Hall => hall,
            Self::Counter => counter,
            Self::Kitchen => kitchen,
            Self::Menu => menu,
        }
    }
}
