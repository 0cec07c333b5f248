//! Where a test's data is: a database of its own on either engine.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use server::config::Engine;
use server::db::Db;
use tempfile::TempDir;

use super::{Cluster, Redis};

/// A database of one test's own, and a folder beside it. Both go with the last clone.
#[derive(Clone)]
pub struct Place {
    url: String,
    folder: Arc<TempDir>,
    /// Of its nodes, if there are any.
    log: Arc<OnceLock<String>>,
    /// Of the shared server.
    lease: Option<Arc<Lease>>,
}

/// A database that many are copies of.
pub enum Seed {
    File(Vec<u8>),
    Database(Arc<Lease>),
}

/// A database of the tests' shared server, until it is dropped.
pub struct Lease(String);

impl Lease {
    async fn new(template: Option<String>) -> Self {
        let create = move || Cluster::shared().create(template.as_deref());
        Self(tokio::task::spawn_blocking(create).await.unwrap())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        Cluster::shared().remove(&self.0);
    }
}

impl Place {
    pub async fn on(engine: Engine) -> Self {
        match engine {
            Engine::Sqlite => Self::file(None),
            Engine::Postgres => Self::leased(Lease::new(None).await),
        }
    }

    /// At a server of the test's own.
    pub fn at(url: String) -> Self {
        Self {
            url,
            folder: Arc::new(tempfile::tempdir().unwrap()),
            log: Arc::default(),
            lease: None,
        }
    }

    /// The log of its nodes is at this address.
    pub fn logged_at(self, url: String) -> Self {
        self.log.set(url).unwrap();
        self
    }

    fn file(content: Option<&[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("house.db");
        if let Some(content) = content {
            std::fs::write(&file, content).unwrap();
        }
        Self {
            url: format!("sqlite:{}", file.display()),
            folder: Arc::new(folder),
            log: Arc::default(),
            lease: None,
        }
    }

    fn leased(lease: Lease) -> Self {
        Self {
            url: lease.0.clone(),
            folder: Arc::new(tempfile::tempdir().unwrap()),
            log: Arc::default(),
            lease: Some(Arc::new(lease)),
        }
    }

    /// What it has come to; nobody uses it any more.
    pub fn into_seed(self) -> Seed {
        match self.lease {
            Some(lease) => Seed::Database(lease),
            None => Seed::File(std::fs::read(self.folder.path().join("house.db")).unwrap()),
        }
    }

    pub async fn copy(seed: &Seed) -> Self {
        match seed {
            Seed::File(content) => Self::file(Some(content)),
            Seed::Database(lease) => Self::leased(Lease::new(Some(lease.0.clone())).await),
        }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The settings of a server over it: in the one shape or the other.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["--database-url".to_owned(), self.url.clone()];
        if self.url.starts_with("postgres") {
            let log = self.log.get_or_init(Redis::shared_url);
            arguments.extend(["--redis-url".to_owned(), log.clone()]);
        }
        arguments
    }

    /// Where the data is, for a command that needs nothing else.
    pub fn database(&self) -> [String; 2] {
        ["--database-url".to_owned(), self.url.clone()]
    }

    /// The database with its tables, behind every server's back.
    pub async fn open(&self) -> Db {
        let db = Db::open(&self.url).await.unwrap();
        db.migrate().await.unwrap();
        db
    }
}
