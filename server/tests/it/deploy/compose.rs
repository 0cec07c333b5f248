//! `deploy/compose.yaml`, as far as it can be held against the rest without Docker.

use std::collections::BTreeSet;
use std::process::Command;

use clap::{CommandFactory as _, Parser as _};
use serde_json::Value;
use server::config::Cli;

use super::file;

fn compose() -> Value {
    serde_saphyr::from_str(&file("deploy/compose.yaml")).unwrap()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    let map = value.as_object().unwrap_or_else(|| panic!("{value}"));
    map.keys().map(String::as_str).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().unwrap_or_else(|| panic!("{value}"));
    list.iter().map(|text| text.as_str().unwrap()).collect()
}

/// A setting by its flag: `LISTEN: x` is `--listen=x`.
fn flag((name, value): (&String, &Value)) -> String {
    let name = name.to_lowercase().replace('_', "-");
    format!("--{name}={}", value.as_str().unwrap())
}

const NODES: [&str; 2] = ["node-1", "node-2"];

#[test]
fn there_are_two_nodes_over_one_database_and_one_log_with_nginx_in_front() {
    let compose = compose();
    let services = &compose["services"];
    let expected = ["nginx", "node-1", "node-2", "postgres", "redis"];
    assert_eq!(keys(services), BTreeSet::from(expected));
    for (name, service) in services.as_object().unwrap() {
        assert_eq!(service["restart"], "unless-stopped", "{name}");
        // Nobody but nginx is reached from outside.
        assert_eq!(service.get("ports").is_some(), name == "nginx", "{name}");
        let waits = service.get("depends_on");
        for other in waits.map(keys).unwrap_or_default() {
            assert!(services[other].get("healthcheck").is_some(), "{other}");
        }
    }
    let named = compose["volumes"].as_object().unwrap();
    for name in ["postgres", "redis"] {
        let volume = texts(&services[name]["volumes"])[0];
        assert!(named.contains_key(volume.split(':').next().unwrap()));
    }
}

#[test]
fn a_node_is_told_only_settings_that_it_has() {
    let mut cli = Cli::command();
    let serve = cli.find_subcommand_mut("serve").unwrap();
    let known: Vec<_> = serve
        .get_arguments()
        .filter_map(|setting| Some(setting.get_env()?.to_str()?.to_owned()))
        .collect();
    let compose = compose();
    for node in NODES {
        let told = &compose["services"][node]["environment"];
        for name in keys(told) {
            assert!(known.iter().any(|known| known == name), "{name}");
        }
        let at = |setting: &str, service: &str| {
            let url = told[setting].as_str().unwrap();
            let host = url.rsplit('@').next().unwrap();
            let host = host.trim_start_matches("redis://");
            assert_eq!(host.split('/').next(), Some(service), "{url}");
        };
        at("DATABASE_URL", "postgres");
        at("REDIS_URL", "redis");
        let settings = told.as_object().unwrap().iter();
        let flags = settings.filter(|(name, _)| *name != "HTTPS").map(flag);
        let arguments = ["jumun".to_owned(), "serve".to_owned()].into_iter();
        match Cli::parse_from(arguments.chain(flags)).command {
            server::config::Command::Serve(config) => assert_eq!(config.check(), Ok(())),
            other => panic!("not serve: {other:?}"),
        }
    }
}

#[test]
fn only_nginx_is_believed_about_where_a_guest_is() {
    let compose = compose();
    let services = &compose["services"];
    let nginx = &services["nginx"]["networks"]["default"]["ipv4_address"];
    assert!(nginx.is_string());
    for node in NODES {
        assert_eq!(&services[node]["environment"]["TRUSTED_PROXY"], nginx);
    }
    let address: std::net::IpAddr = nginx.as_str().unwrap().parse().unwrap();
    let networks = &compose["networks"]["default"]["ipam"]["config"][0];
    let network =
        |name: &str| -> ipnet::IpNet { networks[name].as_str().unwrap().parse().unwrap() };
    assert!(network("subnet").contains(&address));
    assert!(!network("ip_range").contains(&address));
}

#[test]
fn redis_keeps_what_it_was_given_and_evicts_nothing() {
    let compose = compose();
    let command = texts(&compose["services"]["redis"]["command"]);
    let set = |name: &str| {
        let at = command.iter().position(|word| *word == name).unwrap();
        command[at + 1]
    };
    assert_eq!(set("--appendonly"), "yes");
    assert_eq!(set("--maxmemory-policy"), "noeviction");
    assert!(set("--maxmemory").ends_with("mb"));
}

#[test]
fn the_database_is_one_that_the_server_knows() {
    let compose = compose();
    let image = compose["services"]["postgres"]["image"].as_str().unwrap();
    let version = image.strip_prefix("postgres:").unwrap();
    assert!(version.parse::<u32>().unwrap() >= 15);
}

#[test]
fn the_image_is_built_by_the_repositorys_own_commands() {
    let compose = compose();
    let build = &compose["services"]["node-1"]["build"];
    assert_eq!(
        (&build["context"], &build["dockerfile"]),
        (&"..".into(), &"deploy/Dockerfile".into())
    );
    let dockerfile = file("deploy/Dockerfile");
    assert!(dockerfile.contains("cargo xtask build && cargo build --release"));
    let wanted = file("Cargo.toml");
    let rust = wanted
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "));
    let image = format!("FROM rust:{}-", rust.unwrap().trim_matches('"'));
    assert!(dockerfile.contains(&image), "{image}");
}

/// Where there is a Docker that can, it has the last word.
#[test]
fn docker_itself_reads_the_file_where_it_is_there() {
    let root = format!("{}/..", env!("CARGO_MANIFEST_DIR"));
    let compose = |arguments: &[&str]| {
        let mut docker = Command::new("docker");
        docker.arg("compose").args(arguments).current_dir(&root);
        docker.env("POSTGRES_PASSWORD", "secret").output()
    };
    let has_compose = compose(&["version"]).is_ok_and(|told| told.status.success());
    if has_compose {
        let told = compose(&["-f", "deploy/compose.yaml", "config", "--quiet"]).unwrap();
        assert!(told.status.success(), "{told:?}");
    }
}
