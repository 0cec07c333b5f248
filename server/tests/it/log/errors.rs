//! The lines that an operator would find in the error log.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracing::Level;
use tracing::subscriber::DefaultGuard;

/// Counts error lines of this thread until it is dropped: for tests whose runtime has no other.
pub struct Errors {
    lines: Arc<AtomicUsize>,
    _until: DefaultGuard,
}

impl Errors {
    pub fn counted() -> Self {
        let lines = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&lines);
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(Level::ERROR)
            .with_writer(move || Lines(Arc::clone(&counter)))
            .finish();
        Self {
            lines,
            _until: tracing::subscriber::set_default(subscriber),
        }
    }

    pub fn lines(&self) -> usize {
        self.lines.load(Ordering::SeqCst)
    }
}

struct Lines(Arc<AtomicUsize>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
        self.0.fetch_add(ends, Ordering::SeqCst);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
