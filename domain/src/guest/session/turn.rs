//! One turn of a session: what it is told, and what it says to do.

use super::super::{GuestEntity, GuestPage, Heard, Part};
use crate::stream::EventId;
use crate::time::Time;

/// Why there is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoToken {
    /// 404: no table has this code.
    NoTable,
    /// 409: the staff seats guests here.
    AskStaff,
    /// Anything else: again, but not before so many ms.
    Failed(i64),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// 401 or 409: the party has left.
    Over,
    /// Anything else: try again later.
    Failed,
}

/// What a device knows of its table when the page opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing: its guests are new here.
    Nothing,
    /// It has a token.
    Token,
    /// Its party has left, and nobody has asked for another since.
    Left,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Input {
    /// The page opens.
    Start(Known),
    /// The answer to [`Effect::Join`]. The token is kept by whoever asked.
    Joined(Result<(), NoToken>),
    /// The answer to [`Effect::Load`].
    Loaded {
        /// Of the effect.
        request: u64,
        /// As of when, and the page.
        result: Result<(EventId, Box<GuestPage>), NoAnswer>,
    },
    /// The answer to [`Effect::FetchTicket`].
    Ticket {
        /// Of the effect.
        generation: u64,
        /// The ticket.
        result: Result<String, NoAnswer>,
    },
    /// The stream failed or ended.
    Failed {
        /// Of the effect.
        generation: u64,
    },
    /// A frame arrived.
    Frame {
        /// Of the effect.
        generation: u64,
        /// As read.
        frame: Heard,
    },
    /// A command of this phone was answered with these entities.
    Commanded {
        /// From the answer's header.
        watermark: EventId,
        /// From its body.
        entities: Vec<GuestEntity>,
    },
    /// A command was answered: the party has left.
    Cleared,
    /// The guest tries again: to join, to load, or to join anew when it was over.
    Again,
    /// The timer fired. Early or late is fine.
    Timer,
    /// The page may have slept.
    Resume,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Ask for a token; answer with [`Input::Joined`].
    Join,
    /// Ask for the page; answer with [`Input::Loaded`].
    Load {
        /// To be handed back.
        request: u64,
    },
    /// Ask for a ticket; answer with [`Input::Ticket`].
    FetchTicket {
        /// To be handed back.
        generation: u64,
    },
    /// Open a stream.
    Open {
        /// To be handed back.
        generation: u64,
        /// Good for one opening.
        ticket: String,
    },
    /// Close the stream; nothing of it matters from here.
    Close {
        /// Of the opening.
        generation: u64,
    },
    /// Fire [`Input::Timer`] at this time; it replaces the timer set before.
    SetTimer(Time),
    /// This part of the page changed: show it.
    Show(Part),
    /// The page is at another stage: show it. At [`Stage::Over`] token and cart are forgotten, and
    /// the device keeps that its party has left, until it has a token again.
    Stage(Stage),
}

/// What the page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing is there yet.
    Loading,
    /// Nothing is there, and the last attempt failed.
    Unreachable,
    /// No table has this code.
    NoTable,
    /// The staff seats guests here.
    AskStaff,
    /// The page is there.
    Open,
    /// The party has left.
    Over,
}
