//! Icons as inline SVG: many kitchen tablets lack the fonts. An icon never stands alone; the
//! button around it has words, seen or spoken.

use leptos::prelude::*;

use super::Erase;

/// What it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Sound is on.
    Bell,
    /// Sound is off.
    BellOff,
    /// More actions.
    More,
    /// Done.
    Check,
    /// Close.
    Close,
    /// Settings of this device.
    Gear,
    /// One digit back.
    Backspace,
    /// First in its column.
    Star,
    /// To where one came from.
    Back,
    /// Nobody is there.
    Circle,
    /// Guests sit there.
    Person,
    /// To be paid.
    Card,
    /// On the stove.
    Flame,
    /// They eat.
    Fork,
    /// To be cleaned.
    Broom,
}

impl Icon {
    fn path(self) -> &'static str {
        match self {
            Self::Bell => "M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7M10 20a2 2 0 0 0 4 0",
            Self::BellOff => {
                "M6 9a6 6 0 0 1 10.2-4.3M18 9c0 6 2 7 2 7H8M6.5 11C6 15 4 16 4 16M10 20a2 2 0 0 0 4 0M3 3l18 18"
            }
            Self::More => "M5 12h.01M12 12h.01M19 12h.01",
            Self::Check => "m5 12 5 5 9-10",
            Self::Close => "M6 6l12 12M18 6 6 18",
            Self::Gear => {
                "M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4"
            }
            Self::Backspace => "M9 5h11v14H9l-6-7zM12 9l5 6M17 9l-5 6",
            Self::Back => "M15 5l-7 7 7 7",
            Self::Star => {
                "m12 3 2.7 5.6 6.1.8-4.5 4.2 1.1 6.1L12 16.8l-5.4 2.9 1.1-6.1L3.2 9.4l6.1-.8z"
            }
            Self::Circle => "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14",
            Self::Person => "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M5 20a7 7 0 0 1 14 0",
            Self::Card => "M3 6h18v12H3zM3 10h18",
            Self::Flame => "M12 3c1 4 6 6 6 11a6 6 0 0 1-12 0c0-2 1-4 3-5 0 2 1 3 2 3 1-3 0-6 1-9",
            Self::Fork => "M7 3v18M4 3v4a3 3 0 0 0 6 0V3M17 21V3c-3 2-3 8-3 10h3",
            Self::Broom => "M19 3 12 12M7 11l6 5-2 5H3c3-2 3-6 4-10",
        }
    }
}

/// The icon, as large as the text around it.
pub fn icon(icon: Icon) -> AnyView {
    let width = if icon == Icon::More { "3.5" } else { "2" };
    view! {
        <svg
            class="icon"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            stroke-width=width
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
        >
            <path d=icon.path() />
        </svg>
    }
    .erased()
}
