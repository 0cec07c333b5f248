//! Why streams end.

use super::socket::End;

/// Why a stream ended, for the log and the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The client closed it.
    Completed,
    /// Its socket broke, or what it needed could not be read.
    Error,
    /// The client took nothing for too long.
    SlowConsumer,
    /// It was open for as long as a stream may be.
    Lifetime,
    /// Its session ended.
    Revoked,
    /// Its party was cleared.
    Cleared,
    /// The process is going away.
    Drain,
    /// History was replaced under it.
    LaggedOut,
}

impl CloseReason {
    /// As it is written in the log and in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Error => "error",
            Self::SlowConsumer => "slow-consumer",
            Self::Lifetime => "lifetime",
            Self::Revoked => "revoked",
            Self::Cleared => "cleared",
            Self::Drain => "drain",
            Self::LaggedOut => "lagged-out",
        }
    }
}

impl From<End> for CloseReason {
    fn from(end: End) -> Self {
        match end {
            End::Completed => Self::Completed,
            End::Error => Self::Error,
            End::Stalled => Self::SlowConsumer,
        }
    }
}
