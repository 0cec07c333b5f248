//! A Redis server of a test's own, which it may kill, stop and set back.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{Client, Cmd, FromRedisValue, cmd};
use server::log::RedisConfig;
use tempfile::TempDir;
use tokio::time::Instant;

/// `redis-server` on a socket in a folder of its own. Dropped, it is killed.
pub struct Redis {
    folder: TempDir,
    child: Option<Child>,
}

impl Redis {
    pub async fn start() -> Self {
        let mut redis = Self {
            folder: tempfile::tempdir().unwrap(),
            child: None,
        };
        redis.revive().await;
        redis
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("redis.sock")
    }

    fn dump(&self) -> PathBuf {
        self.folder.path().join("dump.rdb")
    }

    pub fn url(&self) -> String {
        format!("redis+unix://{}", self.socket().display())
    }

    /// The log here, with short times.
    pub fn config(&self) -> RedisConfig {
        RedisConfig {
            block: Duration::from_millis(500),
            patience: Duration::from_millis(500),
            retry: Duration::from_millis(200),
            ..RedisConfig::at(self.url())
        }
    }

    /// Starts it with what was saved last; answers when it does.
    pub async fn revive(&mut self) {
        assert!(self.child.is_none(), "it runs");
        let started = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no"])
            .arg("--unixsocket")
            .arg(self.socket())
            .arg("--dir")
            .arg(self.folder.path())
            .stdout(Stdio::null())
            .spawn();
        self.child = Some(started.unwrap_or_else(|error| {
            panic!("redis-server cannot be started ({error}): install it, on Debian `apt-get install redis-server`")
        }));
        let deadline = Instant::now() + Duration::from_secs(10);
        while self.try_ask::<String>(&cmd("PING")).await.is_err() {
            assert!(Instant::now() < deadline, "redis-server does not answer");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Starts it with nothing.
    pub async fn revive_empty(&mut self) {
        let _ = std::fs::remove_file(self.dump());
        self.revive().await;
    }

    /// SIGKILL.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Keeps what it has for the next start.
    pub async fn save(&self) {
        self.ask::<()>(&cmd("SAVE")).await;
    }

    /// SIGSTOP: connections stay, nobody answers.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// SIGCONT.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, name: &str) {
        let pid = self.child.as_ref().unwrap().id().to_string();
        let told = Command::new("kill").args([name, &pid]).status();
        assert!(told.unwrap().success());
    }

    pub async fn line(&self) -> ::redis::RedisResult<MultiplexedConnection> {
        let client = Client::open(self.url()).unwrap();
        client.get_multiplexed_async_connection().await
    }

    async fn try_ask<T: FromRedisValue>(&self, cmd: &Cmd) -> ::redis::RedisResult<T> {
        cmd.query_async(&mut self.line().await?).await
    }

    pub async fn ask<T: FromRedisValue>(&self, cmd: &Cmd) -> T {
        self.try_ask(cmd).await.unwrap()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
