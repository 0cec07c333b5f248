//! Installing what a fresh machine lacks. What is there already is left alone.

use std::fs;
use std::process::Command;

use crate::program;
use crate::step::{Failure, Outcome, Steps};
use crate::tree::Tree;

/// The target of the client.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Debian packages, and the programs that stand for them where there is no Debian.
struct Packages {
    names: &'static [&'static str],
    programs: &'static [&'static str],
}

/// What the browser's stories and pictures need: a browser, and a typeface that has Korean.
const BROWSER: Packages = Packages {
    names: &["chromium", "fonts-noto-cjk"],
    programs: &["chromium"],
};

/// What the Rust tests start servers of their own from, those that Debian starts are left alone;
/// and a clock that is wrong.
const SERVERS: Packages = Packages {
    names: &["postgresql", "redis-server", "nginx-light", "faketime"],
    programs: &["initdb", "redis-server", "nginx", "faketime"],
};

/// What building the client needs: the wasm target, and npm's wasm-opt and typeface.
pub fn for_client(tree: &Tree, steps: &mut Steps) -> Option<()> {
    steps.run("setup: wasm target", wasm_target)?;
    steps.run("setup: npm packages", || npm_packages(tree))
}

/// What driving a browser, and the tests of the server, need.
pub fn for_browser(steps: &mut Steps) -> Option<()> {
    steps.run("setup: browser", || BROWSER.install())
}

/// What the Rust tests need.
pub fn for_tests(steps: &mut Steps) -> Option<()> {
    steps.run("setup: PostgreSQL, Redis, nginx, faketime", || {
        SERVERS.install()
    })
}

fn wasm_target() -> Outcome {
    let installed = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM_TARGET])
        .output()
        .is_ok_and(|output| {
            output.status.success()
                && fs::exists(String::from_utf8_lossy(&output.stdout).trim()).unwrap_or(false)
        });
    if installed {
        return Ok(());
    }
    program::run(
        Command::new("rustup").args(["target", "add", WASM_TARGET]),
        "install Rust by rustup, or add the standard library of this target to your Rust by hand",
    )
}

/// The lock file as it was installed is kept inside `node_modules`; equal means nothing to do.
fn npm_packages(tree: &Tree) -> Outcome {
    let lock = tree.end2end().join("package-lock.json");
    let installed = tree.npm_package(".installed-lock.json");
    let wanted = fs::read(&lock).map_err(|error| {
        Failure::new(
            format!("read {}", lock.display()),
            error,
            "restore the file from git",
        )
    })?;
    if fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    program::run(
        program::npm(tree).args(["ci", "--no-audit", "--no-fund"]),
        "install Node 20 or newer with npm, and check that npm reaches its registry",
    )?;
    fs::write(&installed, wanted).map_err(|error| {
        Failure::new(
            format!("write {}", installed.display()),
            error,
            "check the folder's rights",
        )
    })
}

impl Packages {
    fn install(&self) -> Outcome {
        let is_missing = |name: &&&str| !has_package(name);
        let missing: Vec<&str> = self.names.iter().filter(is_missing).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let by_hand = format!("install by hand: {}", missing.join(" "));
        if program::on_path("apt-get").is_none() {
            return self.look_for_programs(by_hand);
        }
        program::run(apt_get().arg("update"), &by_hand)?;
        program::run(
            apt_get()
                .args(["install", "-y", "--no-install-recommends"])
                .args(&missing),
            &by_hand,
        )
    }

    fn look_for_programs(&self, by_hand: String) -> Outcome {
        let absent = |name: &&&str| program::on_path(name).is_none();
        match self.programs.iter().find(absent) {
            None => Ok(()),
            Some(name) => Err(Failure::new(
                format!("find {name}"),
                format!("there is neither {name} nor apt-get"),
                by_hand,
            )),
        }
    }
}

fn has_package(name: &str) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f", "${db:Status-Status}", name])
        .output()
        .is_ok_and(|output| output.stdout == b"installed")
}

/// `apt-get`, through sudo unless already root; it never asks a question.
fn apt_get() -> Command {
    let root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|id| id.stdout.trim_ascii() == b"0");
    let mut command = Command::new(if root { "env" } else { "sudo" });
    if !root {
        command.args(["-n", "env"]);
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]);
    command
}
