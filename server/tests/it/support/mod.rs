//! A real server on a real port over a database file of its own, and people who use it.

mod client;
mod process;
mod restaurant;

use std::net::SocketAddr;
use std::sync::Arc;

use clap::Parser as _;
use server::RunError;
use server::clock::Clock;
use server::config::{Cli, Command, Config};
use server::http::App;
use server::http::table::Row;
use server::service::Services;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use client::{Answer, Client};
pub use process::{Process, jumun};
pub use restaurant::{PIN, add_restaurant};

/// A running server. Dropped, it goes with its runtime.
pub struct Server {
    /// Its parts, for looking behind the answers.
    pub app: App,
    pub addr: SocketAddr,
    pub shutdown: CancellationToken,
    served: JoinHandle<Result<(), RunError>>,
    folder: Arc<TempDir>,
}

/// What a test changes about the settings.
type Change = fn(&mut Config);

impl Server {
    /// With the restaurant `one`.
    pub async fn start() -> Self {
        Self::with(|_| {}, Clock::system()).await
    }

    pub async fn with(change: Change, clock: Clock) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let server = Self::over(folder, change, clock).await;
        add_restaurant(&server.app, "one").await;
        server
    }

    /// The same over services that a test has changed.
    pub async fn changed(
        change: Change,
        clock: Clock,
        services: impl FnOnce(Services) -> Services,
    ) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let server = Self::begin(folder, change, clock, services).await;
        add_restaurant(&server.app, "one").await;
        server
    }

    async fn over(folder: Arc<TempDir>, change: Change, clock: Clock) -> Self {
        Self::begin(folder, change, clock, |services| services).await
    }

    async fn begin(
        folder: Arc<TempDir>,
        change: Change,
        clock: Clock,
        services: impl FnOnce(Services) -> Services,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let mut config = config(&folder);
        change(&mut config);
        let mut app = server::open(config, clock).await.unwrap();
        app.services = services(app.services);
        let shutdown = CancellationToken::new();
        let served = tokio::spawn(server::serve(app.clone(), listener, shutdown.clone()));
        Self {
            app,
            addr,
            shutdown,
            served,
            folder,
        }
    }

    /// Stops it as SIGTERM does, and starts it again on the same file.
    pub async fn restart(self) -> Self {
        let clock = self.app.clock.clone();
        let folder = Arc::clone(&self.folder);
        self.stop().await.unwrap();
        Self::over(folder, |_| {}, clock).await
    }

    /// Stops it as SIGTERM does.
    pub async fn stop(self) -> Result<(), RunError> {
        self.shutdown.cancel();
        self.served.await.unwrap()
    }

    /// Somebody who is not signed in.
    pub fn client(&self) -> Client {
        Client::new(self.addr)
    }

    /// Somebody of the restaurant `one`: `owner`, `manager`, `hall`, `counter`, `kitchen`.
    pub async fn login(&self, staff: &str) -> Client {
        self.login_at("one", staff).await
    }

    pub async fn login_at(&self, store: &str, staff: &str) -> Client {
        let client = self.client();
        let answer = client.try_login(store, staff, PIN).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        client
    }

    /// Serves rows of the test's own, with everything that is true for all routes.
    pub async fn serve_rows(&self, rows: Vec<Row>) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let router = server::http::layered(&self.app, rows);
        tokio::spawn(axum::serve(listener, router).into_future());
        Client::new(addr)
    }
}

fn config(folder: &TempDir) -> Config {
    let database = format!("sqlite:{}", folder.path().join("house.db").display());
    let site = folder.path().join("site").display().to_string();
    let arguments = [
        "jumun",
        "serve",
        "--database-url",
        &database,
        "--site-dir",
        &site,
        "--spread-ms",
        "0",
    ];
    match Cli::parse_from(arguments).command {
        Command::Serve(config) => Config {
            // One process serves many servers in a test run.
            metrics_listen: None,
            ..config
        },
        other => panic!("not serve: {other:?}"),
    }
}
