//! What only a browser has: storage, the page, the clock, a panic's last words.
//! Called from effects and event handlers only.

pub mod awake;
pub mod device;
pub mod panic;
pub mod random;
pub mod sound;
pub mod wall;
