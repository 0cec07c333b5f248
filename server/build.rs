//! Rebuilds the server when a migration is added: they are compiled into it.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
