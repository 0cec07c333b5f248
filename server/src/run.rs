//! The life of a server: open, serve, leave.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use futures_util::FutureExt as _;
use metrics_exporter_prometheus::BuildError;
use tokio::net::TcpListener;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::Clock;
use crate::config::{Config, ConfigError};
use crate::db::{Db, DbError};
use crate::http::{self, App, Site};
use crate::hub::{Hub, HubConfig, Peer, Sockets};
use crate::log::{Log, LogError, RedisConfig};
use crate::relay::Relay;
use crate::service::Services;
use crate::service::auth::Auth;
use crate::service::demo::open_demo;
use crate::service::opening::OpeningError;
use crate::service::refusal::ServiceError;
use crate::service::timekeeping;
use crate::telemetry;

/// A process that is told to leave finishes requests for this long, whatever happens.
const FAREWELL: Duration = Duration::from_millis(4_200);
/// What is left after that, of the 5 seconds, for the workers and the database file.
const CLOSING: Duration = Duration::from_millis(500);

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The settings are not a supported shape.
    #[error("the settings do not fit together")]
    Config(#[from] ConfigError),
    /// The database cannot be opened or migrated.
    #[error("the database cannot be opened")]
    Db(#[from] DbError),
    /// The event log cannot be used.
    #[error("the event log cannot be used")]
    Log(#[from] LogError),
    /// An address cannot be listened on.
    #[error("cannot listen on {addr}")]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// Holds that are over cannot be swept.
    #[error("holds on stock cannot be swept")]
    Sweep(#[from] ServiceError),
    /// The demo restaurant cannot be opened.
    #[error("the demo restaurant cannot be opened")]
    Demo(#[from] OpeningError),
    /// Metrics cannot be recorded.
    #[error("metrics cannot be recorded")]
    Metrics(#[from] BuildError),
    /// The listener failed while serving.
    #[error("serving failed")]
    Serve(#[source] io::Error),
}

/// Opens everything and serves on `listener` until `shutdown`; answers when the last
/// command is done and the streams are gone, at most 5 seconds later.
///
/// # Errors
///
/// [`RunError`].
pub async fn run(
    config: Config,
    listener: TcpListener,
    shutdown: CancellationToken,
) -> Result<(), RunError> {
    let app = open(config, Clock::system()).await?;
    serve(app, listener, shutdown).await
}

/// Opens the database, migrates it, and builds the services.
///
/// # Errors
///
/// [`RunError`].
pub async fn open(config: Config, clock: Clock) -> Result<App, RunError> {
    config.check()?;
    telemetry::metrics()?;
    let db = Db::open(&config.database.database_url).await?;
    db.migrate().await?;
    let clock = timekeeping::begin(&db, clock).await?;
    if config.demo && open_demo(&db, &clock).await? {
        tracing::info!("the demo restaurant is open");
    }
    let site = Site::read(&config.site_dir);
    let log = match &config.redis_url {
        None => Log::local(),
        Some(url) => Log::redis(RedisConfig::at(url))?,
    };
    let hub_config = hub_config(&config, site.build());
    let hub = Hub::new(hub_config, db.clone(), clock.clone(), log.clone());
    let tasks = TaskTracker::new();
    let relay = Relay::new(db.clone(), clock.clone(), log.clone(), hub.clone());
    Ok(App {
        services: Services::new(
            db.clone(),
            clock.clone(),
            relay.clone(),
            tasks.clone(),
            &log,
        )?,
        relay,
        auth: Auth::new(db.clone(), clock.clone()),
        config: Arc::new(config),
        guests: Arc::default(),
        site: Arc::new(site),
        tasks,
        leaving: Arc::new(AtomicBool::new(false)),
        db,
        clock,
        hub,
    })
}

fn hub_config(config: &Config, build: &str) -> HubConfig {
    HubConfig {
        heartbeat: Duration::from_millis(config.heartbeat_ms),
        replay: config.replay_limit,
        slow_consumer: Duration::from_millis(config.slow_consumer_ms),
        lifetime: Duration::from_secs(config.stream_lifetime_min * 60),
        streams_per_node: config.max_streams,
        streams_per_store: config.max_streams_per_store,
        streams_per_session: config.max_streams_per_session,
        streams_per_party: config.max_streams_per_party,
        streams_per_second: config.new_streams_per_second,
        spread: Duration::from_millis(config.spread_ms),
        build: build.to_owned(),
        ..HubConfig::default()
    }
}

/// Serves what [`open`] has opened.
///
/// # Errors
///
/// [`RunError::Listen`] for the metrics' address, [`RunError::Serve`] when a listener fails.
pub async fn serve(
    app: App,
    listener: TcpListener,
    shutdown: CancellationToken,
) -> Result<(), RunError> {
    let metrics = match app.config.metrics_listen {
        Some(addr) => Some(bind(addr).await?),
        None => None,
    };
    let stop = CancellationToken::new();
    let workers = TaskTracker::new();
    // Nobody is answered from yesterday.
    app.services.cut_days().await?;
    let until_stop = |work| workers.spawn(stop.clone().run_until_cancelled_owned(work));
    until_stop(cut_days(app.services.clone()).boxed());
    // Nor is anything still held that was over while nobody served.
    app.services.sweep().await?;
    until_stop(app.services.clone().sweeping().boxed());
    until_stop(app.services.clone().working().boxed());
    until_stop(app.services.clone().watching().boxed());
    until_stop(timekeeping::keep(app.db.clone(), app.clock.clone()).boxed());
    workers.spawn(app.relay.clone().run(stop.clone()));
    let handle = telemetry::metrics()?;
    until_stop(telemetry::upkeep(handle.clone()).boxed());
    if let Some(listener) = metrics {
        workers.spawn(telemetry::serve_metrics(listener, handle, stop.clone()));
    }
    workers.close();
    let stall = Duration::from_millis(app.config.slow_consumer_ms);
    let router = http::router(&app).into_make_service_with_connect_info::<Peer>();
    let last_request = CancellationToken::new();
    let served = axum::serve(Sockets::new(listener, stall), router)
        .with_graceful_shutdown(last_request.clone().cancelled_owned());
    let mut served = tokio::spawn(served.into_future());
    let outcome = tokio::select! {
        () = shutdown.cancelled() => {
            leave(&app, &mut served, &last_request).await
        }
        ended = &mut served => ended.unwrap_or_else(|gone| Err(io::Error::other(gone))),
    };
    stop.cancel();
    let closed = async {
        workers.wait().await;
        app.db.close().await;
    };
    if timeout(CLOSING, closed).await.is_err() {
        tracing::warn!("the database was still in use");
    }
    outcome.map_err(RunError::Serve)
}

async fn bind(addr: SocketAddr) -> Result<TcpListener, RunError> {
    TcpListener::bind(addr)
        .await
        .map_err(|cause| RunError::Listen { addr, cause })
}

/// Ends business days whose cut has come; commands do the same for their own store.
async fn cut_days(services: Services) {
    let mut second = tokio::time::interval(Duration::from_secs(1));
    loop {
        second.tick().await;
        if let Err(error) = services.cut_days().await {
            let cause: &dyn std::error::Error = &error;
            tracing::warn!(error = cause, "business days not cut");
        }
    }
}

/// Readiness off, streams sent home, requests and commands to their end; then gone.
async fn leave(
    app: &App,
    served: &mut tokio::task::JoinHandle<io::Result<()>>,
    last_request: &CancellationToken,
) -> io::Result<()> {
    tracing::info!("leaving: streams are sent home, commands finish");
    let gone_by = Instant::now() + FAREWELL;
    app.leave();
    app.hub.drain().await;
    last_request.cancel();
    app.tasks.close();
    let quiet = async {
        app.tasks.wait().await;
        (&mut *served)
            .await
            .unwrap_or_else(|gone| Err(io::Error::other(gone)))
    };
    timeout_at(gone_by, quiet).await.unwrap_or_else(|_| {
        tracing::warn!("connections were still open");
        served.abort();
        Ok(())
    })
}
