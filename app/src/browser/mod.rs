//! What only a browser has: storage, the page, the clock, a panic's last words.
//! Called from effects and event handlers only.

pub mod device;
pub mod panic;
