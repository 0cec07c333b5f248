//! Compressing once what is sent often. Results are kept by content, so unchanged files cost nothing.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::digest;

/// File name endings that gain from compression; pictures, sounds and fonts are compressed already.
const TEXT: [&str; 9] = [
    "css",
    "html",
    "js",
    "json",
    "svg",
    "txt",
    "wasm",
    "webmanifest",
    "xml",
];

/// A content in both encodings.
pub struct Compressed {
    /// Brotli, quality 11.
    pub br: Vec<u8>,
    /// Gzip, level 9.
    pub gz: Vec<u8>,
}

/// Whether a file gains from compression, by its name.
pub fn gains(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| TEXT.iter().any(|text| end == *text))
}

/// The results of earlier runs, and of this one.
pub struct Cache {
    folder: PathBuf,
    used: Vec<String>,
}

impl Cache {
    /// A cache in this folder.
    pub fn open(folder: PathBuf) -> std::io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self {
            folder,
            used: Vec::new(),
        })
    }

    /// Compresses, or finds what an earlier run made of the same content.
    pub fn compress(&mut self, content: &[u8]) -> std::io::Result<Compressed> {
        let name = digest::of(&[content]);
        let br = self.one(format!("{name}.br"), || brotli(content))?;
        let gz = self.one(format!("{name}.gz"), || gzip(content))?;
        Ok(Compressed { br, gz })
    }

    fn one(
        &mut self,
        name: String,
        make: impl FnOnce() -> std::io::Result<Vec<u8>>,
    ) -> std::io::Result<Vec<u8>> {
        let path = self.folder.join(&name);
        self.used.push(name);
        if let Ok(there) = fs::read(&path) {
            return Ok(there);
        }
        let made = make()?;
        let half = path.with_extension("half");
        fs::write(&half, &made)?;
        fs::rename(half, path)?;
        Ok(made)
    }

    /// Forgets what this run had no use for.
    pub fn prune(self) -> std::io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if !self
                .used
                .iter()
                .any(|used| entry.file_name() == used.as_str())
            {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

fn brotli(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: content.len(),
        ..Default::default()
    };
    let mut output = Vec::new();
    brotli::BrotliCompress(&mut &content[..], &mut output, &parameters)?;
    Ok(output)
}

fn gzip(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn both_encodings_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let content = "조리 대기 ".repeat(200).into_bytes();
        let mut cache = Cache::open(folder.path().to_path_buf()).unwrap();
        let compressed = cache.compress(&content).unwrap();
        let mut from_gz = Vec::new();
        flate2::read::GzDecoder::new(&compressed.gz[..])
            .read_to_end(&mut from_gz)
            .unwrap();
        let mut from_br = Vec::new();
        brotli::BrotliDecompress(&mut &compressed.br[..], &mut from_br).unwrap();
        assert_eq!((from_gz, from_br), (content.clone(), content));
    }

    #[test]
    fn an_entry_without_use_is_pruned_and_a_used_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Cache::open(folder.path().to_path_buf()).unwrap();
        open().compress(b"old").unwrap();
        let mut cache = open();
        cache.compress(b"new").unwrap();
        cache.prune().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn fonts_and_pictures_are_left_alone() {
        assert!(gains(Path::new("pkg/app-1.wasm")));
        assert!(!gains(Path::new("pkg/fonts/a.woff2")));
        assert!(!gains(Path::new("LICENSE")));
    }
}
