//! The folder that the server serves: hashed names, compressed twins, a manifest.
//!
//! Written beside the old one and then put in its place, so a server that starts meanwhile finds
//! one or the other.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::compress::{self, Cache};
use super::wasm::Bound;
use super::{Flavour, digest, fonts};
use crate::step::{Failure, Outcome};
use crate::tree::Tree;

/// What was written, for the size report.
pub struct Site {
    /// Each file that a page loads first: those of its part, and the style sheet of all.
    pub loaded: Vec<Loaded>,
}

/// One file of a first visit.
pub struct Loaded {
    /// The part whose pages load it; the style sheet is every part's: `app`.
    pub part: &'static str,
    /// `js`, `wasm` or `css`.
    pub kind: &'static str,
    /// Bytes as they are.
    pub plain: usize,
    /// Bytes as a browser gets them; `None` in the dev flavour, which does not compress.
    pub brotli: Option<usize>,
}

/// Writes `target/site`.
pub fn write(tree: &Tree, flavour: Flavour, parts: &[Bound], css: &str) -> Outcome<Site> {
    let fonts = fonts::load(tree)?;
    let advice = "check rights and free space of the target folder";
    assemble(tree, flavour, parts, css, &fonts)
        .map_err(|error| Failure::new(format!("write {}", tree.site().display()), error, advice))
}

fn assemble(
    tree: &Tree,
    flavour: Flavour,
    parts: &[Bound],
    css: &str,
    fonts: &fonts::Fonts,
) -> io::Result<Site> {
    let css = format!("{css}\n{}", fonts.css);
    let mut writer = Writer::open(tree, flavour)?;
    let mut modules = serde_json::Map::new();
    for bound in parts {
        let js = writer.hashed(bound.part, "js", &bound.js)?;
        let wasm = writer.hashed(bound.part, "wasm", &bound.wasm)?;
        let module = serde_json::json!({ "js": js, "wasm": wasm });
        modules.insert(bound.part.to_owned(), module);
        for (path, content) in &bound.snippets {
            writer.file(&Path::new("pkg/snippets").join(path), content)?;
        }
    }
    let css = writer.hashed("app", "css", css.as_bytes())?;
    for (name, content) in &fonts.files {
        writer.file(&Path::new("pkg/fonts").join(name), content)?;
    }
    let public = tree.root.join("public");
    for path in walk(&public) {
        let content = fs::read(&path)?;
        writer.file(path.strip_prefix(&public).unwrap_or(&path), &content)?;
    }
    let modules = serde_json::Value::Object(modules);
    let build = digest::of(&[modules.to_string().as_bytes(), css.as_bytes()]);
    let manifest = serde_json::json!({ "parts": modules, "css": css, "build": build });
    fs::write(
        writer.folder.join("manifest.json"),
        format!("{manifest:#}\n"),
    )?;
    writer.finish(&tree.site())
}

struct Writer {
    folder: PathBuf,
    cache: Option<Cache>,
    loaded: Vec<Loaded>,
}

impl Writer {
    fn open(tree: &Tree, flavour: Flavour) -> io::Result<Self> {
        let folder = tree.target.join("site-next");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(folder.join("pkg"))?;
        let cache = match flavour {
            Flavour::Release => Some(Cache::open(tree.target.join("client").join("compressed"))?),
            Flavour::Dev => None,
        };
        Ok(Self {
            folder,
            cache,
            loaded: Vec::new(),
        })
    }

    /// Writes one of the files that the pages of a part load; its address.
    fn hashed(
        &mut self,
        part: &'static str,
        kind: &'static str,
        content: &[u8],
    ) -> io::Result<String> {
        let name = format!("pkg/{part}-{}.{kind}", digest::of(&[content]));
        let brotli = self.file(Path::new(&name), content)?;
        self.loaded.push(Loaded {
            part,
            kind,
            plain: content.len(),
            brotli,
        });
        Ok(format!("/{name}"))
    }

    /// Writes a file and, where that is smaller, its compressed twins; the size of the brotli twin.
    fn file(&mut self, path: &Path, content: &[u8]) -> io::Result<Option<usize>> {
        let path = self.folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, content)?;
        let Some(cache) = self.cache.as_mut().filter(|_| compress::gains(&path)) else {
            return Ok(None);
        };
        let compressed = cache.compress(content)?;
        for (end, twin) in [("br", &compressed.br), ("gz", &compressed.gz)] {
            if twin.len() < content.len() {
                fs::write(with_end(&path, end), twin)?;
            }
        }
        Ok(Some(compressed.br.len().min(content.len())))
    }

    fn finish(self, site: &Path) -> io::Result<Site> {
        if let Some(cache) = self.cache {
            cache.prune()?;
        }
        if site.exists() {
            fs::remove_dir_all(site)?;
        }
        fs::rename(&self.folder, site)?;
        Ok(Site {
            loaded: self.loaded,
        })
    }
}

/// `app.js` → `app.js.br`.
fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    PathBuf::from(name)
}

/// All files below a folder, sorted; none when it does not exist.
pub fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return files;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(folder: &Path) -> Tree {
        Tree {
            root: folder.to_path_buf(),
            target: folder.join("target"),
        }
    }

    fn bound() -> [Bound; 1] {
        [Bound {
            part: "house",
            js: "export default 1;".repeat(50).into_bytes(),
            wasm: vec![0; 2_000],
            snippets: vec![(PathBuf::from("a/inline0.js"), b"export {}".to_vec())],
        }]
    }

    fn typeface() -> fonts::Fonts {
        fonts::Fonts {
            css: "@font-face{}".into(),
            files: vec![("p-1.woff2".into(), vec![1, 2])],
        }
    }

    #[test]
    fn the_manifest_names_files_that_exist_with_compressed_twins() {
        let folder = tempfile::tempdir().unwrap();
        let tree = tree(folder.path());
        fs::create_dir_all(tree.root.join("public/sounds")).unwrap();
        fs::write(tree.root.join("public/sounds/new.ogg"), b"x").unwrap();
        assemble(&tree, Flavour::Release, &bound(), ".a{}", &typeface()).unwrap();
        let manifest = fs::read_to_string(tree.site().join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        for kind in ["js", "wasm"] {
            let address = manifest["parts"]["house"][kind].as_str().unwrap();
            for end in ["", ".br", ".gz"] {
                assert!(
                    tree.site()
                        .join(format!("{}{end}", &address[1..]))
                        .is_file(),
                    "{address}{end}"
                );
            }
        }
        assert!(tree.site().join("sounds/new.ogg").is_file());
        assert!(tree.site().join("pkg/fonts/p-1.woff2").is_file());
        assert!(tree.site().join("pkg/snippets/a/inline0.js").is_file());
    }

    #[test]
    fn names_and_build_change_with_the_content_only() {
        let folder = tempfile::tempdir().unwrap();
        let tree = tree(folder.path());
        let manifest = |css: &str| {
            assemble(&tree, Flavour::Release, &bound(), css, &typeface()).unwrap();
            fs::read_to_string(tree.site().join("manifest.json")).unwrap()
        };
        let first = manifest(".a{}");
        assert_eq!(first, manifest(".a{}"));
        assert_ne!(first, manifest(".b{}"));
    }

    #[test]
    fn the_dev_flavour_writes_no_twins() {
        let folder = tempfile::tempdir().unwrap();
        let tree = tree(folder.path());
        assemble(&tree, Flavour::Dev, &bound(), ".a{}", &typeface()).unwrap();
        assert!(walk(&tree.site()).iter().all(|path| {
            path.extension()
                .is_none_or(|end| end != "br" && end != "gz")
        }));
    }
}
