//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The checkout and its build directory.
pub struct Tree {
    /// The folder of the workspace manifest.
    pub root: PathBuf,
    /// Cargo's target directory: `CARGO_TARGET_DIR`, else `target` in the root.
    pub target: PathBuf,
}

impl Tree {
    /// The checkout this program was compiled in.
    pub fn find() -> Self {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.parent().unwrap_or(manifest).to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(given) => absolute(PathBuf::from(given)),
            None => root.join("target"),
        };
        Self { root, target }
    }

    /// The npm project: Playwright's stories and the npm tools of the client build.
    pub fn end2end(&self) -> PathBuf {
        self.root.join("end2end")
    }

    /// An installed npm package.
    pub fn npm_package(&self, name: &str) -> PathBuf {
        self.end2end().join("node_modules").join(name)
    }

    /// What the server serves as static files.
    pub fn site(&self) -> PathBuf {
        self.target.join("site")
    }
}

fn absolute(path: PathBuf) -> PathBuf {
    env::current_dir()
        .map(|here| here.join(&path))
        .unwrap_or(path)
}
