//! How much a first visit loads, and how much it may.

use super::site::Site;
use crate::step::{Failure, Outcome};

/// The most that Wasm and JavaScript together may take over the wire, brotli, in bytes.
const LIMIT: usize = 350 * 1024;

/// What we aim at, brotli, in bytes.
const GOAL: usize = 300 * 1024;

/// A line a file and one for the sum of Wasm and JavaScript.
pub fn report(site: &Site) -> String {
    let mut lines = Vec::new();
    for file in &site.loaded {
        let wire = file.brotli.map_or("not compressed".to_owned(), |size| {
            format!("{} brotli", kilobytes(size))
        });
        lines.push(format!(
            "  {:<4} {:>10}  {wire}",
            file.kind,
            kilobytes(file.plain)
        ));
    }
    lines.push(format!(
        "  wasm + js {} of {} allowed (goal {})",
        kilobytes(code_on_the_wire(site)),
        kilobytes(LIMIT),
        kilobytes(GOAL)
    ));
    lines.join("\n")
}

/// Prints the report; a failure above the limit.
pub fn check(site: &Site) -> Outcome {
    println!("{}", report(site));
    let size = code_on_the_wire(site);
    if size <= LIMIT {
        return Ok(());
    }
    let because = format!("{} is above {}", kilobytes(size), kilobytes(LIMIT));
    let advice = "look at what the last change pulled in: cargo tree -p frontend --target wasm32-unknown-unknown";
    Err(Failure::new("measure wasm + js, brotli", because, advice))
}

fn code_on_the_wire(site: &Site) -> usize {
    let code = site.loaded.iter().filter(|file| file.kind != "css");
    code.map(|file| file.brotli.unwrap_or(file.plain)).sum()
}

fn kilobytes(bytes: usize) -> String {
    format!("{:.1} KB", bytes as f64 / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::super::site::Loaded;
    use super::*;

    fn site(wasm: usize) -> Site {
        let file = |kind, brotli| Loaded {
            kind,
            plain: 4 * brotli,
            brotli: Some(brotli),
        };
        Site {
            loaded: vec![
                file("js", 10 * 1024),
                file("wasm", wasm),
                file("css", 900 * 1024),
            ],
        }
    }

    #[test]
    fn a_client_above_the_limit_fails_and_one_below_passes() {
        assert!(check(&site(340 * 1024)).is_ok());
        let failure = check(&site(341 * 1024)).unwrap_err();
        assert!(failure.because.contains("351.0 KB is above 350.0 KB"));
    }
}
