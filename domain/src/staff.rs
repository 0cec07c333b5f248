//! Who works here and what they may do.

use serde::{Deserialize, Serialize};

/// What a member of staff may do. Owner and manager may do everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// 점주
    Owner,
    /// 매니저
    Manager,
    /// 홀
    Hall,
    /// 카운터
    Counter,
    /// 주방
    Kitchen,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 5] = [
        Self::Owner,
        Self::Manager,
        Self::Hall,
        Self::Counter,
        Self::Kitchen,
    ];

    /// Whether this role may do everything.
    #[must_use]
    pub fn manages(self) -> bool {
        matches!(self, Self::Owner | Self::Manager)
    }

    /// As written in JSON and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Manager => "manager",
            Self::Hall => "hall",
            Self::Counter => "counter",
            Self::Kitchen => "kitchen",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}
