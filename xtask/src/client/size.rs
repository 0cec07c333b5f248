//! How much the first visit of a page loads, and how much it may.

use super::site::Site;
use super::wasm::PARTS;
use crate::step::{Failure, Outcome};

/// The most that Wasm and JavaScript together may take over the wire, brotli, in bytes.
const LIMIT: usize = 350 * 1024;

/// What we aim at, brotli, in bytes.
const GOAL: usize = 300 * 1024;

/// A line a file, and for each part one for the sum of its Wasm and JavaScript: what its pages load.
pub fn report(site: &Site) -> String {
    let mut lines = Vec::new();
    for file in &site.loaded {
        let wire = file.brotli.map_or("not compressed".to_owned(), |size| {
            format!("{} brotli", kilobytes(size))
        });
        lines.push(format!(
            "  {:<6} {:<4} {:>10}  {wire}",
            file.part,
            file.kind,
            kilobytes(file.plain)
        ));
    }
    for part in PARTS {
        lines.push(format!(
            "  {part}: wasm + js {} of {} allowed (goal {})",
            kilobytes(code_on_the_wire(site, part)),
            kilobytes(LIMIT),
            kilobytes(GOAL)
        ));
    }
    lines.join("\n")
}

/// Prints the report; a failure when a part is above the limit.
pub fn check(site: &Site) -> Outcome {
    println!("{}", report(site));
    for part in PARTS {
        let size = code_on_the_wire(site, part);
        if size > LIMIT {
            let because = format!("{part}: {} is above {}", kilobytes(size), kilobytes(LIMIT));
            let advice = "look at what the last change pulled in: cargo tree -p frontend --target wasm32-unknown-unknown";
            return Err(Failure::new("measure wasm + js, brotli", because, advice));
        }
    }
    Ok(())
}

fn code_on_the_wire(site: &Site, part: &str) -> usize {
    let code = site.loaded.iter().filter(|file| file.part == part);
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
        let file = |part, kind, brotli| Loaded {
            part,
            kind,
            plain: 4 * brotli,
            brotli: Some(brotli),
        };
        Site {
            loaded: vec![
                file("house", "js", 10 * 1024),
                file("house", "wasm", 200 * 1024),
                file("floor", "js", 10 * 1024),
                file("floor", "wasm", wasm),
                file("app", "css", 900 * 1024),
            ],
        }
    }

    #[test]
    fn a_part_above_the_limit_fails_and_one_below_passes() {
        assert!(check(&site(340 * 1024)).is_ok());
        let failure = check(&site(341 * 1024)).unwrap_err();
        assert!(
            failure
                .because
                .contains("floor: 351.0 KB is above 350.0 KB")
        );
    }
}
