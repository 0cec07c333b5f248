//! Who plays the day.

use std::str::FromStr;

/// Who seats parties and places orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Staff.
    Staff,
    /// Guests, by phone.
    Guests,
}

impl FromStr for Who {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "staff" => Ok(Self::Staff),
            "guests" => Ok(Self::Guests),
            _ => Err("it is `staff` or `guests`"),
        }
    }
}
