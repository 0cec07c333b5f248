//! From Rust to what the browser loads: cargo, wasm-bindgen as a library, npm's wasm-opt.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

use super::{Flavour, digest};
use crate::program;
use crate::setup::WASM_TARGET;
use crate::step::{Failure, Outcome};
use crate::tree::Tree;

/// The features that rustc's default for this target uses, spelt out: wasm-opt refuses code that
/// uses one it was not told of.
const WASM_OPT: [&str; 8] = [
    "-Oz",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
    "--enable-call-indirect-overlong",
];

/// The parts of the client (`app/src/routes.rs`): a module each, so that a page loads what it needs.
pub const PARTS: [&str; 3] = ["house", "floor", "guest"];

/// The module of a part and its JavaScript.
pub struct Bound {
    /// Which part.
    pub part: &'static str,
    /// The ES module that loads the Wasm; it is told the Wasm's address when it is started.
    pub js: Vec<u8>,
    /// The Wasm module.
    pub wasm: Vec<u8>,
    /// JavaScript that crates carry with them: path below `snippets/`, and content.
    pub snippets: Vec<(PathBuf, Vec<u8>)>,
}

/// Compiles a part of the client; what cargo made.
pub fn compile(tree: &Tree, flavour: Flavour, part: &str) -> Outcome<Vec<u8>> {
    let (profile, folder) = match flavour {
        Flavour::Release => ("wasm-release", "wasm-release"),
        Flavour::Dev => ("dev", "debug"),
    };
    let mut command = program::cargo(tree);
    command.args([
        "build",
        "--package",
        "frontend",
        "--lib",
        "--no-default-features",
        "--features",
        part,
        "--target",
        WASM_TARGET,
        "--profile",
        profile,
    ]);
    program::run(&mut command, "the compiler's message above names the place")?;
    read(
        &tree
            .target
            .join(WASM_TARGET)
            .join(folder)
            .join("frontend.wasm"),
    )
}

/// Binds and optimises, or takes what an earlier run made of the same module with the same flags.
/// The module names the wasm-bindgen it was compiled with, so another version is another module.
pub fn bind(tree: &Tree, flavour: Flavour, part: &'static str, raw: &[u8]) -> Outcome<Bound> {
    let (name, flags) = match flavour {
        Flavour::Release => ("release", WASM_OPT.join(" ")),
        Flavour::Dev => ("dev", String::new()),
    };
    let folder = tree.target.join("client").join(name).join(part);
    let stamp_file = folder.join("stamp");
    let stamp = digest::of(&[raw, flags.as_bytes()]);
    let unchanged = fs::read_to_string(&stamp_file).is_ok_and(|there| there == stamp);
    if !unchanged {
        let _ = fs::remove_dir_all(&folder);
        generate(raw, flavour, &folder)?;
        if flavour == Flavour::Release {
            optimise(tree, &folder.join("app_bg.wasm"))?;
        }
        write(&stamp_file, stamp.as_bytes())?;
    }
    Ok(Bound {
        part,
        js: read(&folder.join("app.js"))?,
        wasm: read(&folder.join("app_bg.wasm"))?,
        snippets: files_below(&folder.join("snippets")),
    })
}

fn generate(raw: &[u8], flavour: Flavour, folder: &Path) -> Outcome {
    let dev = flavour == Flavour::Dev;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_bytes("app", raw.to_vec())
        .out_name("app")
        .typescript(false)
        .omit_default_module_path(true)
        .keep_debug(dev)
        .remove_name_section(!dev)
        .remove_producers_section(!dev);
    bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder))
        .map_err(|error| {
            let advice = "the versions of wasm-bindgen and wasm-bindgen-cli-support must be equal in Cargo.toml";
            Failure::new("wasm-bindgen", format!("{error:#}"), advice)
        })
}

fn optimise(tree: &Tree, wasm: &Path) -> Outcome {
    let mut command = Command::new("node");
    command
        .arg(tree.npm_package("binaryen/bin/wasm-opt"))
        .args(WASM_OPT)
        .arg(wasm)
        .arg("-o")
        .arg(wasm);
    program::run(
        &mut command,
        "if it names a feature, add its --enable flag in xtask/src/client/wasm.rs",
    )
}

fn files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    super::site::walk(folder)
        .into_iter()
        .filter_map(|path| {
            let content = fs::read(&path).ok()?;
            let relative = path.strip_prefix(folder).ok()?.to_path_buf();
            Some((relative, content))
        })
        .collect()
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path)
        .map_err(|error| Failure::new(format!("read {}", path.display()), error, "build again"))
}

fn write(path: &Path, content: &[u8]) -> Outcome {
    fs::write(path, content).map_err(|error| {
        Failure::new(
            format!("write {}", path.display()),
            error,
            "check rights and free space",
        )
    })
}
