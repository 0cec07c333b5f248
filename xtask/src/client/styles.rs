//! `style/main.css` and all it imports, as one minified text.

use lightningcss::bundler::{Bundler, FileProvider};
use lightningcss::stylesheet::{MinifyOptions, ParserOptions, PrinterOptions, StyleSheet};
use lightningcss::targets::{Browsers, Targets};

use crate::step::{Failure, Outcome};
use crate::tree::Tree;

/// The oldest browsers served: kitchen tablets are not young. Nesting is written out for them.
const BROWSERS: Browsers = Browsers {
    android: None,
    chrome: Some(109 << 16),
    edge: Some(109 << 16),
    firefox: Some(115 << 16),
    ie: None,
    ios_saf: Some(16 << 16 | 4 << 8),
    opera: None,
    safari: Some(16 << 16 | 4 << 8),
    samsung: None,
};

const ADVICE: &str = "mend the style sheet at the place named above";

/// Bundles and minifies the styles.
pub fn bundle(tree: &Tree) -> Outcome<String> {
    let entry = tree.root.join("style").join("main.css");
    let files = FileProvider::new();
    let sheet = Bundler::new(&files, None, ParserOptions::default())
        .bundle(&entry)
        .map_err(|error| Failure::new(format!("bundle {}", entry.display()), error, ADVICE))?;
    print(sheet)
}

/// Minifies one text that imports nothing.
pub fn minify(css: &str) -> Outcome<String> {
    let sheet = StyleSheet::parse(css, ParserOptions::default())
        .map_err(|error| Failure::new("parse a style sheet", error, ADVICE))?;
    print(sheet)
}

fn print(mut sheet: StyleSheet<'_>) -> Outcome<String> {
    let targets = Targets::from(BROWSERS);
    let minify = MinifyOptions {
        targets,
        ..MinifyOptions::default()
    };
    sheet
        .minify(minify)
        .map_err(|error| Failure::new("minify the styles", error, ADVICE))?;
    let printer = PrinterOptions {
        minify: true,
        targets,
        ..PrinterOptions::default()
    };
    sheet
        .to_css(printer)
        .map(|printed| printed.code)
        .map_err(|error| Failure::new("print the styles", error, ADVICE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_written_out_and_space_goes() {
        let css = minify(".a { color: red; & .b { color: blue } }").unwrap();
        assert_eq!(css, ".a{color:red}.a .b{color:#00f}");
    }

    #[test]
    fn a_broken_sheet_is_a_failure_that_names_the_place() {
        assert!(minify("@layer {{{").is_err());
    }
}
