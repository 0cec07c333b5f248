//! Reading the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Path below `folder` and text of every Rust file there, sorted.
pub fn rust_files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    collect(folder, folder, &mut files);
    files.sort();
    assert!(
        !files.is_empty(),
        "no Rust files below {}",
        folder.display()
    );
    files
}

fn collect(top: &Path, folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(top, &path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let below = path.strip_prefix(top).unwrap_or(&path).to_path_buf();
            files.push((below, text));
        }
    }
}

/// The lines of code with their numbers: without comments, and without the test module that
/// ends a file.
pub fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| !line.trim_start().starts_with("#[cfg(test)]"))
        .map(|(index, line)| (index + 1, line.split("//").next().unwrap_or_default()))
}

#[test]
fn comments_and_the_test_module_are_not_code() {
    let text = "use a; // use b\n/// use c\n#[cfg(test)]\nmod tests { use d; }";
    let code: Vec<_> = code_lines(text).collect();
    assert_eq!(code, [(1, "use a; "), (2, "")]);
}
