//! A real server on a real port over a database of its own, and people who use it.

mod client;
mod nginx;
mod place;
mod postgres;
mod process;
mod redis;
mod restaurant;
mod trial;

use std::net::SocketAddr;

use clap::Parser as _;
use server::RunError;
use server::clock::Clock;
use server::config::{Cli, Command, Config};
use server::http::App;
use server::http::table::Row;
use server::service::Services;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use client::{Answer, Client};
pub use nginx::Nginx;
pub use place::{Place, Seed};
pub use postgres::Cluster;
pub use process::{Process, jumun};
pub use redis::Redis;
pub use restaurant::{PIN, add_restaurant, change_store, settings};
pub use server::config::Engine;
pub use trial::sized;

/// A running server. Dropped, it goes with its runtime.
pub struct Server {
    /// Its parts, for looking behind the answers.
    pub app: App,
    pub addr: SocketAddr,
    pub shutdown: CancellationToken,
    served: JoinHandle<Result<(), RunError>>,
    place: Place,
}

/// What a test changes about the settings.
type Change = fn(&mut Config);

impl Server {
    /// With the restaurant `one`.
    pub async fn start() -> Self {
        Self::with(|_| {}, Clock::system()).await
    }

    pub async fn with(change: Change, clock: Clock) -> Self {
        Self::on(Engine::Sqlite, change, clock).await
    }

    pub async fn on(engine: Engine, change: Change, clock: Clock) -> Self {
        let place = Place::on(engine).await;
        let server = Self::over(place, change, clock).await;
        add_restaurant(&server.app, "one").await;
        server
    }

    /// The same over services that a test has changed.
    pub async fn changed(
        engine: Engine,
        change: Change,
        clock: Clock,
        services: impl FnOnce(Services) -> Services,
    ) -> Self {
        let server = Self::begin(Place::on(engine).await, change, clock, services).await;
        add_restaurant(&server.app, "one").await;
        server
    }

    /// Another node over the same database, with settings of its own.
    pub async fn beside(&self, change: Change) -> Self {
        self.beside_changed(change, |services| services).await
    }

    /// The same over services that a test has changed.
    pub async fn beside_changed(
        &self,
        change: Change,
        services: impl FnOnce(Services) -> Services,
    ) -> Self {
        let clock = self.app.clock.clone();
        Self::begin(self.place.clone(), change, clock, services).await
    }

    /// Over data that may be there already.
    pub async fn over(place: Place, change: Change, clock: Clock) -> Self {
        Self::begin(place, change, clock, |services| services).await
    }

    /// The same over services that a test has changed.
    pub async fn begin(
        place: Place,
        change: Change,
        clock: Clock,
        services: impl FnOnce(Services) -> Services,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let mut config = config(&place);
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
            place,
        }
    }

    /// Stops it as SIGTERM does, and starts it again over the same data.
    pub async fn restart(self) -> Self {
        let (clock, place) = (self.app.clock.clone(), self.place.clone());
        self.stop().await.unwrap();
        Self::over(place, |_| {}, clock).await
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

fn config(place: &Place) -> Config {
    let site = place.folder().join("site").display().to_string();
    let own = ["jumun", "serve", "--spread-ms", "0", "--site-dir", &site];
    let arguments = own.into_iter().map(str::to_owned);
    match Cli::parse_from(arguments.chain(place.arguments())).command {
        Command::Serve(config) => Config {
            // One process serves many servers in a test run.
            metrics_listen: None,
            ..config
        },
        other => panic!("not serve: {other:?}"),
    }
}

/// A port that nobody has at this moment.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
