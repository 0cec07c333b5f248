//! Words that must not stand in a crate's sources.

use std::path::Path;

use crate::source::{code_lines, root, rust_files};

/// The domain is told the time, ids and randomness, and does no I/O.
const NOT_IN_DOMAIN: [&str; 18] = [
    "std::time::SystemTime",
    "std::time::Instant",
    "SystemTime",
    "Instant::",
    "std::fs",
    "std::net",
    "std::env",
    "std::thread",
    "std::process",
    "std::io",
    "rand::",
    "getrandom",
    "now_v7",
    "new_v4",
    "println!",
    "static mut",
    "async fn",
    "web_sys",
];

/// Server and browser render the same screens from the same code.
const NOT_IN_APP: [&str; 1] = ["#[cfg("];

/// The forbidden words in one file, with the line.
fn found(file: &Path, lines: &[(usize, &str)], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in lines {
        for word in words {
            if line.contains(word) {
                found.push(format!("{}:{number}: {word}", file.display()));
            }
        }
    }
    found
}

fn impure(file: &Path, text: &str) -> Vec<String> {
    let lines: Vec<_> = code_lines(text).collect();
    found(file, &lines, &NOT_IN_DOMAIN)
}

/// Nothing of the screens may say `#[cfg(`; their test modules carry `#![cfg(test)]` inside.
fn conditional(file: &Path, text: &str) -> Vec<String> {
    let lines: Vec<_> = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .collect();
    found(file, &lines, &NOT_IN_APP)
}

/// A file that is a test module as a whole: `tests.rs`, or below `tests/`.
fn is_test(file: &Path) -> bool {
    let named = |part: std::path::Component<'_>| {
        matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs"))
    };
    file.components().any(named)
}

#[test]
fn the_domain_has_no_clock_no_io_and_no_randomness() {
    let files = rust_files(&root().join("domain/src"));
    let wrong: Vec<String> = files
        .iter()
        .filter(|(file, _)| !is_test(file))
        .flat_map(|(file, text)| impure(file, text))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_screens_have_no_conditional_compilation() {
    let files = rust_files(&root().join("app/src"));
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|(file, text)| conditional(file, text))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn each_forbidden_word_is_found() {
    for word in NOT_IN_DOMAIN {
        let text = format!("fn f() {{ {word} }}");
        assert!(!impure(Path::new("a.rs"), &text).is_empty(), "{word}");
    }
    assert_eq!(
        impure(Path::new("a.rs"), "\nuse std::fs;"),
        ["a.rs:2: std::fs"]
    );
    assert_eq!(
        conditional(Path::new("b.rs"), "#[cfg(feature = \"ssr\")]"),
        ["b.rs:1: #[cfg("]
    );
    assert_eq!(
        conditional(Path::new("b.rs"), "    #[cfg(test)]\nmod tests {}").len(),
        1
    );
    assert!(conditional(Path::new("b.rs"), "mod tests {\n    #![cfg(test)]\n}").is_empty());
}
