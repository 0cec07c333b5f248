//! Building the client: the files of `target/site` that the server serves.
//!
//! Cargo decides what to compile. What follows is keyed by the content that goes in, so a second
//! run with nothing changed does nothing that takes time.

mod compress;
mod digest;
mod fonts;
pub mod site;
pub mod size;
mod styles;
mod wasm;

use crate::setup;
use crate::step::Steps;
use crate::tree::Tree;
use site::Site;

/// How much work goes into the files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Small: optimised for size, precompressed.
    Release,
    /// Soon: neither.
    Dev,
}

impl Flavour {
    /// The flavour that the flag `--dev` asks for.
    pub fn of(dev: bool) -> Self {
        if dev { Self::Dev } else { Self::Release }
    }
}

/// Installs what is missing and builds the client.
pub fn build_all(tree: &Tree, flavour: Flavour, steps: &mut Steps) -> Option<()> {
    setup::for_client(tree, steps)?;
    let site = build(tree, flavour, steps)?;
    println!("{}", size::report(&site));
    Some(())
}

/// Builds the client.
pub fn build(tree: &Tree, flavour: Flavour, steps: &mut Steps) -> Option<Site> {
    let mut parts = Vec::new();
    for part in wasm::PARTS {
        let raw = steps.run(&format!("client: compile {part}"), || {
            wasm::compile(tree, flavour, part)
        })?;
        let bound = steps.run(&format!("client: bind and optimise {part}"), || {
            wasm::bind(tree, flavour, part, &raw)
        })?;
        parts.push(bound);
    }
    let css = steps.run("client: styles", || styles::bundle(tree))?;
    steps.run("client: files", || site::write(tree, flavour, &parts, &css))
}
