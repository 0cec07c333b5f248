//! Short content hashes, for file names and for knowing what is unchanged.

use sha2::{Digest, Sha256};

/// The first 64 bits of the SHA-256 of all parts, as 16 hex digits.
/// Parts are framed by their length: moving a byte from one to the next changes the result.
pub fn of(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part);
    }
    hasher
        .finalize()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_content_has_equal_names_and_a_moved_byte_has_not() {
        assert_eq!(of(&[b"ab", b"c"]), of(&[b"ab", b"c"]));
        assert_ne!(of(&[b"ab", b"c"]), of(&[b"a", b"bc"]));
        assert_eq!(of(&[b"ab"]).len(), 16);
    }
}
