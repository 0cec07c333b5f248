//! Pretendard Variable, served by us in the ranges a page really uses.

use std::fs;

use super::{digest, styles};
use crate::step::{Failure, Outcome};
use crate::tree::Tree;

/// The licence asks that its name goes wherever the typeface goes.
const LICENCE: &str = "/* Pretendard, (c) 2021 Kil Hyung-jin, SIL Open Font License 1.1 */\n";

/// The typeface as we serve it.
pub struct Fonts {
    /// `@font-face` rules whose addresses are below `/pkg/fonts/`.
    pub css: String,
    /// Name and content of each file there.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Reads the typeface from its npm package and gives each file a name with its hash.
pub fn load(tree: &Tree) -> Outcome<Fonts> {
    let folder = tree.npm_package("pretendard/dist/web/variable");
    let sheet = folder.join("pretendardvariable-dynamic-subset.css");
    let read = |path: &std::path::Path| {
        fs::read(path).map_err(|error| {
            Failure::new(
                format!("read {}", path.display()),
                error,
                "install again: cargo xtask setup",
            )
        })
    };
    let mut css = styles::minify(&String::from_utf8_lossy(&read(&sheet)?))?;
    let mut files = Vec::new();
    for name in names(&css) {
        let content = read(&folder.join("woff2-dynamic-subset").join(&name))?;
        let hashed = name.replace(".woff2", &format!("-{}.woff2", digest::of(&[&content])));
        css = css.replace(
            &format!("woff2-dynamic-subset/{name}"),
            &format!("fonts/{hashed}"),
        );
        files.push((hashed, content));
    }
    // Relative to the style sheet in /pkg/ the addresses come out as /pkg/fonts/….
    Ok(Fonts {
        css: format!("{LICENCE}{css}"),
        files,
    })
}

fn names(css: &str) -> Vec<String> {
    css.split("woff2-dynamic-subset/")
        .skip(1)
        .filter_map(|rest| rest.split_once(".woff2"))
        .map(|(stem, _)| format!("{stem}.woff2"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_a_sheet_asks_for_is_found() {
        let css = "src:url(./woff2-dynamic-subset/P.subset.0.woff2)}a{src:url(woff2-dynamic-subset/P.subset.1.woff2)";
        assert_eq!(names(css), ["P.subset.0.woff2", "P.subset.1.woff2"]);
    }
}
