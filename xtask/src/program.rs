//! Running other programs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{Failure, Outcome};
use crate::tree::Tree;

/// Cargo, in the root of the checkout, without what an outer `cargo run` left in the environment:
/// build scripts that watch those variables would run again each time.
pub fn cargo(tree: &Tree) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        if is_of_outer_cargo(&name) {
            command.env_remove(name);
        }
    }
    command.current_dir(&tree.root);
    command
}

/// npm, in the npm project.
pub fn npm(tree: &Tree) -> Command {
    let mut command = Command::new("npm");
    command
        .current_dir(tree.end2end())
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    command
}

/// Runs a program to its end, its output shown; anything but success is a failure.
pub fn run(command: &mut Command, advice: &str) -> Outcome {
    command.stdin(Stdio::null());
    let tried = shown(command);
    let status = command
        .status()
        .map_err(|error| Failure::new(&tried, error, advice))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(tried, status, advice))
    }
}

/// Where on PATH a program is.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file())
}

/// A command as one would type it.
pub fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program());
    let name = name.file_name().unwrap_or(name.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

fn is_of_outer_cargo(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_named_with_its_arguments() {
        let failure = run(Command::new("sh").args(["-c", "exit 3"]), "look").unwrap_err();
        assert_eq!(failure.tried, "sh -c exit 3");
        assert!(failure.because.contains('3'));
    }

    #[test]
    fn a_program_that_is_missing_is_a_failure_not_a_panic() {
        assert!(run(&mut Command::new("jumun-no-such-program"), "install it").is_err());
        assert_eq!(on_path("jumun-no-such-program"), None);
    }
}
