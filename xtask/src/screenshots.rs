//! `cargo xtask screenshots`: a picture of every screen, to be looked at.

use crate::e2e;
use crate::step::Steps;
use crate::tree::Tree;

/// Takes the pictures into `screenshots/`.
pub fn take(tree: &Tree, steps: &mut Steps) -> Option<()> {
    let jumun = e2e::prepare(tree, steps)?;
    steps.run("screenshots", || {
        e2e::tell(tree, &jumun, "screenshots", &[])
    })
}
