//! Inside `server`: `main → http → service → relay, hub → log, store → db → clock`, never up.

use std::path::Path;

use crate::source::{code_lines, root, rust_files};

/// The layers from top to bottom. A module may use its own layer and those below.
/// `config` holds settings as plain values, so every layer may be told them.
const LAYERS: [&[&str]; 8] = [
    &["main", "lib", "cli", "run"],
    &["http"],
    &["service"],
    &["relay", "hub"],
    &["log", "store"],
    &["db"],
    &["clock"],
    &["config", "telemetry"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|names| names.contains(&module))
}

/// What is wrong in one file of `server/src`.
fn wrong_uses(file: &Path, text: &str) -> Vec<String> {
    let module = top_module(file);
    let Some(own) = layer(&module) else {
        return vec![format!("{} has no layer", file.display())];
    };
    let code: Vec<&str> = code_lines(text).map(|(_, line)| line).collect();
    used_modules(&code.join("\n"))
        .into_iter()
        .filter(|used| layer(used).is_some_and(|used| used < own))
        .map(|used| format!("{}: {module} must not use {used}", file.display()))
        .collect()
}

/// `http/orders.rs` → `http`; `relay.rs` → `relay`.
fn top_module(file: &Path) -> String {
    let first = file
        .components()
        .next()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    first.unwrap_or_default().trim_end_matches(".rs").to_owned()
}

/// The first name after each `crate::`, those of a group `crate::{a::b, c}` too.
fn used_modules(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => used.extend(group_names(group)),
            None => used.extend(first_name(rest)),
        }
    }
    used
}

/// The names at depth one of a brace group whose opening brace is already read.
fn group_names(group: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 1;
    let mut at_start = true;
    for (index, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => at_start = true,
            _ if at_start && !character.is_whitespace() => {
                names.extend(first_name(&group[index..]));
                at_start = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn first_name(text: &str) -> Option<String> {
    let name: String = text
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    (!name.is_empty()).then_some(name)
}

#[test]
fn server_modules_use_only_what_is_below_them() {
    let files = rust_files(&root().join("server/src"));
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|(file, text)| wrong_uses(file, text))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_use_of_a_layer_above_is_found_also_inside_a_group() {
    let up = |file: &str, text: &str| wrong_uses(Path::new(file), text);
    assert_eq!(
        up("db/mod.rs", "use crate::store::order;"),
        ["db/mod.rs: db must not use store"]
    );
    assert_eq!(
        up(
            "store/order.rs",
            "use crate::{\n    db::{Db, http},\n    service::Orders,\n};"
        ),
        ["store/order.rs: store must not use service"]
    );
    assert_eq!(
        up("hub/mod.rs", "pub(crate) fn f() { crate::http::g() }"),
        ["hub/mod.rs: hub must not use http"]
    );
    assert_eq!(up("misc.rs", ""), ["misc.rs has no layer"]);
}

#[test]
fn a_use_of_the_same_layer_or_one_below_is_fine() {
    assert!(wrong_uses(Path::new("relay.rs"), "use crate::{hub::Hub, clock};").is_empty());
    assert!(
        wrong_uses(
            Path::new("db/mod.rs"),
            "// use crate::http\nuse crate::clock::Clock;"
        )
        .is_empty()
    );
    assert!(
        wrong_uses(
            Path::new("db/mod.rs"),
            "#[cfg(test)]\nmod tests { use crate::http; }"
        )
        .is_empty()
    );
}
