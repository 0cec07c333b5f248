//! The command line: every setting is a flag with an environment variable of its name.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use ipnet::IpNet;

/// Jumun, a point of sale for restaurants.
#[derive(Clone, Debug, Parser)]
#[command(name = "jumun", version, about)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Serve the restaurant: a SQLite file and an in-process log by default, no service needed.
    Serve(Config),
    /// Manage stores.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Import a menu from a spreadsheet; every bad row is named and nothing is half done.
    Import(Import),
    /// Show the stores whose events are unpublished or dead, and why.
    Outbox(Database),
    /// Look after counted stock.
    #[command(subcommand)]
    Stock(StockCommand),
}

/// What can be done with counted stock.
#[derive(Clone, Debug, Subcommand)]
pub enum StockCommand {
    /// Recompute every counter from the ledger and the open holds; print drift.
    Verify(Database),
}

/// What can be done with a store.
#[derive(Clone, Debug, Subcommand)]
pub enum StoreCommand {
    /// Add a store with its staff; prints names, roles and PINs, once, as JSON.
    Add(StoreAdd),
}

/// Where the data is.
#[derive(Args, Clone, Debug)]
pub struct Database {
    /// Address of the database: `sqlite:FILE`, or `postgres://USER:PASSWORD@HOST/NAME` of
    /// PostgreSQL 15 or newer, for several nodes.
    #[arg(long, env = "DATABASE_URL", default_value = "sqlite:jumun.db")]
    pub database_url: String,
}

/// `jumun store add`.
#[derive(Args, Clone, Debug)]
pub struct StoreAdd {
    /// The store's code in addresses: lower-case letters, digits and `-`.
    pub code: String,
    /// Its name, as guests see it.
    #[arg(long)]
    pub name: String,
    /// Its currency, ISO 4217.
    #[arg(long, default_value = "KRW")]
    pub currency: String,
    /// Its time zone, by IANA name.
    #[arg(long, default_value = "Asia/Seoul")]
    pub time_zone: String,
    /// The language of its screens: `ko` or `en`.
    #[arg(long, default_value = "ko")]
    pub language: String,
    /// How many tables it has.
    #[arg(long, default_value_t = 12)]
    pub tables: u32,
    /// Where the data is.
    #[command(flatten)]
    pub database: Database,
}

/// `jumun import`.
#[derive(Args, Clone, Debug)]
pub struct Import {
    /// The store's code.
    #[arg(long)]
    pub store: String,
    /// The spreadsheet: `menu_item_id,item_name,category,price`.
    pub file: PathBuf,
    /// Where the data is.
    #[command(flatten)]
    pub database: Database,
}

/// Settings of `jumun serve`. Times and sizes carry their unit in the name.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Where the data is.
    #[command(flatten)]
    pub database: Database,
    /// Address of the event log and the work queue of several nodes: `redis://…` of Redis 6.2 or
    /// newer. It goes with PostgreSQL.
    #[arg(long, env = "REDIS_URL")]
    pub redis_url: Option<String>,
    /// Address and port to serve on.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:3000")]
    pub listen: SocketAddr,
    /// Address and port of `GET /metrics`; keep it off the guests' network.
    #[arg(long, env = "METRICS_LISTEN", default_value = "127.0.0.1:9464")]
    pub metrics_listen: Option<SocketAddr>,
    /// Folder of the built client.
    #[arg(long, env = "SITE_DIR", default_value = "target/site")]
    pub site_dir: PathBuf,
    /// Fill an empty database with a demo restaurant.
    #[arg(long, env = "DEMO")]
    pub demo: bool,
    /// People reach this server by https: cookies are Secure, and browsers are told to stay.
    #[arg(long, env = "HTTPS")]
    pub https: bool,
    /// Addresses or networks of the proxies in front, by commas: what they say in
    /// `X-Forwarded-For` is believed. Nobody else is.
    #[arg(long, env = "TRUSTED_PROXY", value_delimiter = ',', value_parser = network)]
    pub trusted_proxy: Vec<IpNet>,
    /// Milliseconds between two heartbeats of a stream.
    #[arg(long, env = "HEARTBEAT_MS", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(100..=60_000))]
    pub heartbeat_ms: u64,
    /// Streams at once, of this process.
    #[arg(long, env = "MAX_STREAMS", default_value_t = 5_000)]
    pub max_streams: usize,
    /// Streams at once, of a store.
    #[arg(long, env = "MAX_STREAMS_PER_STORE", default_value_t = 500)]
    pub max_streams_per_store: usize,
    /// Streams at once, of a session: the tabs of one browser.
    #[arg(long, env = "MAX_STREAMS_PER_SESSION", default_value_t = 16)]
    pub max_streams_per_session: usize,
    /// Streams at once, of a party: the phones at its tables.
    #[arg(long, env = "MAX_STREAMS_PER_PARTY", default_value_t = 20)]
    pub max_streams_per_party: usize,
    /// New streams per second, with as many in one burst.
    #[arg(long, env = "NEW_STREAMS_PER_SECOND", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub new_streams_per_second: u32,
    /// Minutes after which a stream is ended, so that its screen comes back elsewhere.
    #[arg(long, env = "STREAM_LIFETIME_MIN", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub stream_lifetime_min: u64,
    /// Milliseconds without progress after which a reader's connection is closed.
    #[arg(long, env = "SLOW_CONSUMER_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..))]
    pub slow_consumer_ms: u64,
    /// Milliseconds over which screens come back or reload, so that they do not come at once.
    #[arg(long, env = "SPREAD_MS", default_value_t = 2_000)]
    pub spread_ms: u64,
    /// Events replayed at most to a screen that comes back; beyond that it loads a baseline.
    #[arg(long, env = "REPLAY_LIMIT", default_value_t = 300)]
    pub replay_limit: u64,
    /// Milliseconds a request may take; streams are exempt.
    #[arg(long, env = "REQUEST_TIMEOUT_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub request_timeout_ms: u64,
}

/// `10.0.0.0/8`, or one address.
fn network(text: &str) -> Result<IpNet, String> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    let network = text.parse().or_else(|_| address());
    network.map_err(|_| "no address, and no network as 10.0.0.0/8".to_owned())
}

/// The two engines that can hold the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file beside the process, for one node.
    Sqlite,
    /// A server that nodes share.
    Postgres,
}

/// A mix of settings that this program does not run with. There are two shapes: SQLite with the
/// log in the process, for one node; PostgreSQL with Redis, for any number of nodes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// PostgreSQL without Redis.
    #[error(
        "--database-url postgres://… needs --redis-url too: PostgreSQL serves several nodes, \
         which hear of each other's events by Redis. For one node use sqlite:FILE."
    )]
    PostgresWithoutRedis,
    /// Redis without PostgreSQL.
    #[error(
        "--redis-url does not go with SQLite: a SQLite file serves one node, whose event log \
         is in the process. Leave it out, or use --database-url postgres://…"
    )]
    RedisWithSqlite,
    /// Neither engine.
    #[error(
        "--database-url `{scheme}:…` is no database this program knows: \
         use sqlite:FILE or postgres://…"
    )]
    UnknownDatabase {
        /// What stands before the colon.
        scheme: String,
    },
    /// Not Redis, or by TLS.
    #[error(
        "--redis-url `{scheme}:…` is no event log this program knows: \
         use redis://HOST or redis+unix:///SOCKET"
    )]
    UnknownLog {
        /// What stands before the colon.
        scheme: String,
    },
}

impl Config {
    /// Refuses what is not one of the supported shapes.
    ///
    /// # Errors
    ///
    /// [`ConfigError`], with the reason in words for the operator.
    pub fn check(&self) -> Result<(), ConfigError> {
        match (self.database.engine()?, &self.redis_url) {
            (Engine::Sqlite, None) => Ok(()),
            (Engine::Sqlite, Some(_)) => Err(ConfigError::RedisWithSqlite),
            (Engine::Postgres, None) => Err(ConfigError::PostgresWithoutRedis),
            (Engine::Postgres, Some(url)) => match scheme(url) {
                "redis" | "redis+unix" => Ok(()),
                other => Err(ConfigError::UnknownLog {
                    scheme: other.to_owned(),
                }),
            },
        }
    }
}

impl Database {
    /// Which engine the address is of.
    ///
    /// # Errors
    ///
    /// [`ConfigError::UnknownDatabase`], never with the address itself, which may hold a password.
    pub fn engine(&self) -> Result<Engine, ConfigError> {
        match scheme(&self.database_url) {
            "sqlite" => Ok(Engine::Sqlite),
            "postgres" | "postgresql" => Ok(Engine::Postgres),
            other => Err(ConfigError::UnknownDatabase {
                scheme: other.to_owned(),
            }),
        }
    }
}

fn scheme(url: &str) -> &str {
    url.split(':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn config(arguments: &[&str]) -> Config {
        let arguments = ["jumun", "serve"].iter().chain(arguments);
        match Cli::parse_from(arguments).command {
            Command::Serve(config) => config,
            other => panic!("not serve: {other:?}"),
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_file_and_no_service_is_the_default() {
        assert_eq!(config(&[]).check(), Ok(()));
    }

    #[test]
    fn proxies_are_addresses_or_networks_and_none_is_trusted_by_default() {
        assert_eq!(config(&[]).trusted_proxy, []);
        let named = config(&["--trusted-proxy", "10.0.0.0/8,192.0.2.7,fd00::/8"]);
        let named = named.trusted_proxy.iter().map(ToString::to_string);
        let expected = ["10.0.0.0/8", "192.0.2.7/32", "fd00::/8"];
        assert_eq!(named.collect::<Vec<_>>(), expected);
        for wrong in ["nginx", "10.0.0.0/40", ""] {
            let arguments = ["jumun", "serve", "--trusted-proxy", wrong];
            assert!(Cli::try_parse_from(arguments).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn several_nodes_share_postgres_and_redis() {
        let shape = ["--database-url", "postgres://u@h/db", "--redis-url"];
        for log in ["redis://h", "redis+unix:///run/redis.sock"] {
            let arguments: Vec<&str> = shape.into_iter().chain([log]).collect();
            assert_eq!(config(&arguments).check(), Ok(()));
        }
    }

    #[test]
    fn shapes_that_are_not_supported_are_refused_with_the_reason() {
        let redis = config(&["--redis-url", "redis://localhost"]).check();
        assert_eq!(redis, Err(ConfigError::RedisWithSqlite));
        let postgres = config(&["--database-url", "postgres://u:secret@h/db"]).check();
        assert_eq!(postgres, Err(ConfigError::PostgresWithoutRedis));
        let other = config(&["--database-url", "mysql://u:secret@h/db"]).check();
        let reason = other.unwrap_err().to_string();
        assert!(reason.contains("mysql"), "{reason}");
        assert!(!reason.contains("secret"), "{reason}");
        let shape = ["--database-url", "postgres://u@h/db", "--redis-url"];
        let arguments: Vec<&str> = shape.into_iter().chain(["rediss://:secret@h"]).collect();
        let reason = config(&arguments).check().unwrap_err().to_string();
        assert!(reason.contains("`rediss:…`"), "{reason}");
        assert!(!reason.contains("secret"), "{reason}");
    }

    #[test]
    fn every_setting_is_told_with_its_environment_variable() {
        let mut command = Cli::command();
        let serve = command.find_subcommand_mut("serve").unwrap();
        for setting in serve.get_arguments() {
            let name = setting.get_id().as_str();
            if name != "help" {
                let env = setting.get_env().map(|env| env.to_string_lossy());
                assert_eq!(env.as_deref(), Some(name.to_uppercase().as_str()));
            }
            assert!(setting.get_help().is_some(), "{name}");
        }
    }
}
