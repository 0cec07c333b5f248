//! Building the server.

use std::path::PathBuf;

use crate::client::Flavour;
use crate::program;
use crate::step::Outcome;
use crate::tree::Tree;

/// Builds the binary `jumun`; where it is.
pub fn build(tree: &Tree, flavour: Flavour) -> Outcome<PathBuf> {
    let mut command = program::cargo(tree);
    command.args(["build", "--package", "server", "--bin", "jumun"]);
    let folder = match flavour {
        Flavour::Release => {
            command.arg("--release");
            "release"
        }
        Flavour::Dev => "debug",
    };
    program::run(&mut command, "the compiler's message above names the place")?;
    Ok(tree.target.join(folder).join("jumun"))
}
