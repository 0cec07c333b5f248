//! Which crate may depend on which.

use std::process::Command;

use serde_json::Value;

use crate::source::root;

/// Every crate of the workspace, with the workspace crates it may be built on.
const ARROWS: [(&str, &[&str]); 6] = [
    ("domain", &[]),
    ("app", &["domain"]),
    ("server", &["app", "domain"]),
    ("frontend", &["app"]),
    ("loadtest", &["domain"]),
    ("xtask", &[]),
];

/// All that the rules are built on.
const DOMAIN_DEPENDENCIES: [&str; 4] = ["serde", "thiserror", "uuid", "unicode-segmentation"];

/// What is wrong with the packages of `cargo metadata`.
fn wrong_dependencies(metadata: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = ARROWS.iter().find(|(krate, _)| *krate == name) else {
            wrong.push(format!("{name} has no place among the arrows"));
            continue;
        };
        for dependency in built_on(package) {
            let inside = ARROWS.iter().any(|(krate, _)| *krate == dependency);
            if inside && !allowed.contains(&dependency) {
                wrong.push(format!("{name} must not depend on {dependency}"));
            }
            if name == "domain" && !DOMAIN_DEPENDENCIES.contains(&dependency) {
                wrong.push(format!("domain must not depend on {dependency}"));
            }
        }
    }
    wrong
}

/// The dependencies of the crate itself; what only its tests use is left out.
fn built_on(package: &Value) -> impl Iterator<Item = &str> {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    dependencies
        .filter(|dependency| dependency["kind"] != "dev")
        .filter_map(|dependency| dependency["name"].as_str())
}

#[test]
fn crates_depend_only_along_the_arrows() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(metadata["packages"].as_array().unwrap().len(), ARROWS.len());
    assert_eq!(wrong_dependencies(&metadata), Vec::<String>::new());
}

#[test]
fn an_arrow_against_the_direction_is_found() {
    let metadata = serde_json::json!({ "packages": [
        { "name": "domain", "dependencies": [
            { "name": "serde", "kind": null }, { "name": "rand", "kind": null }, { "name": "proptest", "kind": "dev" },
        ] },
        { "name": "app", "dependencies": [{ "name": "domain", "kind": null }, { "name": "server", "kind": null }] },
        { "name": "helpers", "dependencies": [] },
    ] });
    assert_eq!(
        wrong_dependencies(&metadata),
        [
            "domain must not depend on rand",
            "app must not depend on server",
            "helpers has no place among the arrows",
        ]
    );
}
