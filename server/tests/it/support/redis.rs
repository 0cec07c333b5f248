//! A Redis server of a test's own, which it may kill, stop and set back.

use std::io::{BufRead as _, BufReader};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{Client, Cmd, FromRedisValue, cmd};
use server::log::RedisConfig;
use tempfile::TempDir;
use tokio::time::Instant;

const MISSING: &str = "these tests need redis-server, and it is not here. On Debian: \
    apt-get install redis-server (tests start their own, never Debian's)";

const SILENT: &str = "redis-server does not answer";
/// More than there are places in a run.
const DATABASES: u32 = 4_096;
const START: Duration = Duration::from_secs(10);

/// Runs the server until its own input ends, which it does when the tests end in any way.
const KEEPER: &str = r#"
command -v "$1" >/dev/null || exit 1
"$@" >/dev/null & server=$!
echo $server
exec 2>/dev/null
read -r _
kill -9 $server
wait $server
"#;

/// `redis-server` on a socket in a folder of its own. Dropped, it is killed.
pub struct Redis {
    folder: TempDir,
    running: Option<Running>,
}

struct Running {
    keeper: Child,
    /// The server's process.
    pid: String,
}

impl Running {
    fn signal(&self, name: &str) {
        let told = Command::new("kill").args([name, &self.pid]).status();
        assert!(told.unwrap().success());
    }

    /// Ends it, if it has not ended.
    fn end(mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

impl Redis {
    pub async fn start() -> Self {
        let mut redis = Self::stopped();
        redis.revive().await;
        redis
    }

    /// The address of a log of one place's own, at a server for all who do it no harm: copies of
    /// a database have the same store in the same epoch.
    pub fn shared_url() -> String {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed) % DATABASES;
        format!("{}?db={number}", Self::shared().url())
    }

    fn shared() -> &'static Self {
        static SHARED: OnceLock<Redis> = OnceLock::new();
        SHARED.get_or_init(|| {
            let mut redis = Self::stopped();
            redis.spawn();
            let deadline = std::time::Instant::now() + START;
            while UnixStream::connect(redis.socket()).is_err() {
                assert!(std::time::Instant::now() < deadline, "{SILENT}");
                std::thread::sleep(Duration::from_millis(5));
            }
            redis
        })
    }

    fn stopped() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            running: None,
        }
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
        self.spawn();
        let deadline = Instant::now() + START;
        while self.try_ask::<String>(&cmd("PING")).await.is_err() {
            assert!(Instant::now() < deadline, "{SILENT}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn spawn(&mut self) {
        assert!(self.running.is_none(), "it runs");
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper", "redis-server"])
            .args(["--port", "0", "--save", "", "--appendonly", "no"])
            .args(["--databases", &DATABASES.to_string()])
            .arg("--unixsocket")
            .arg(self.socket())
            .arg("--dir")
            .arg(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pid = String::new();
        let told = keeper.stdout.take().unwrap();
        BufReader::new(told).read_line(&mut pid).unwrap();
        let pid = pid.trim().to_owned();
        assert!(!pid.is_empty(), "{MISSING}");
        self.running = Some(Running { keeper, pid });
    }

    /// Starts it with nothing.
    pub async fn revive_empty(&mut self) {
        let _ = std::fs::remove_file(self.dump());
        self.revive().await;
    }

    /// SIGKILL.
    pub fn kill(&mut self) {
        if let Some(running) = self.running.take() {
            running.signal("-KILL");
            running.end();
        }
    }

    /// Keeps what it has for the next start.
    pub async fn save(&self) {
        self.ask::<()>(&cmd("SAVE")).await;
    }

    /// SIGSTOP: connections stay, nobody answers.
    pub fn freeze(&self) {
        self.running.as_ref().unwrap().signal("-STOP");
    }

    /// SIGCONT.
    pub fn thaw(&self) {
        self.running.as_ref().unwrap().signal("-CONT");
    }

    pub async fn line(&self) -> ::redis::RedisResult<MultiplexedConnection> {
        let client = Client::open(self.url()).unwrap();
        client.get_multiplexed_async_connection().await
    }

    /// How often it has carried out a command since it started; `name` in lower case.
    pub async fn calls(&self, name: &str) -> u64 {
        let told: String = self.ask(cmd("INFO").arg("commandstats")).await;
        let begin = format!("cmdstat_{name}:calls=");
        let calls = told.lines().find_map(|line| line.strip_prefix(&begin));
        let calls = calls.and_then(|line| line.split(',').next());
        calls.map_or(0, |calls| calls.parse().unwrap())
    }

    /// How many connections wait in a read.
    pub async fn reading(&self) -> usize {
        self.last("xread").await
    }

    /// How many connections were last used for a command; `name` in lower case.
    pub async fn last(&self, name: &str) -> usize {
        let list: String = self.ask(cmd("CLIENT").arg("LIST")).await;
        let last = format!(" cmd={name} ");
        list.lines().filter(|line| line.contains(&last)).count()
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
        if let Some(running) = self.running.take() {
            running.end();
        }
    }
}
