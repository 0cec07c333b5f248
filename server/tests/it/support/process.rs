//! The real binary in a process of its own, which may be told to leave or be killed.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{Client, Place, free_port};

/// `jumun serve`. Dropped, it is killed.
pub struct Process {
    child: Child,
    pub addr: SocketAddr,
    /// Where its metrics are.
    metrics: Option<SocketAddr>,
}

/// `jumun` without the settings of this machine.
pub fn jumun(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jumun"));
    command.args(arguments);
    for setting in ["DATABASE_URL", "REDIS_URL", "LISTEN", "DEMO", "HTTPS"] {
        command.env_remove(setting);
    }
    command
}

/// What makes a program's clock wrong. Debian's program `faketime` would stand between it and its
/// signals.
fn faketime() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .flatten();
    let mut found = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    found.find(|library| library.is_file()).expect(
        "these tests need libfaketime, and it is not here. On Debian: apt-get install faketime",
    )
}

const SERVE: [&str; 4] = ["serve", "--demo", "--listen", "127.0.0.1:0"];

impl Process {
    /// Serves the demo restaurant from this place on a free port.
    pub async fn serve(place: &Place) -> Self {
        Self::started(jumun(&SERVE), place, None).await
    }

    /// With settings, and metrics that can be read.
    pub async fn measured(place: &Place, settings: &[&str]) -> Self {
        let metrics = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let mut command = jumun(&SERVE);
        command.args(settings);
        Self::started(command, place, Some(metrics)).await
    }

    /// On a machine whose time of day is so many seconds off. What measures how long something
    /// takes is right.
    pub async fn with_clock(place: &Place, seconds: i32) -> Self {
        let mut command = jumun(&SERVE);
        command
            .env("LD_PRELOAD", faketime())
            .env("FAKETIME", format!("{seconds:+}"))
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        Self::started(command, place, None).await
    }

    async fn started(command: Command, place: &Place, metrics: Option<SocketAddr>) -> Self {
        let place = place.clone();
        let start = move || Self::start(command, &place, metrics);
        tokio::task::spawn_blocking(start).await.unwrap()
    }

    fn start(mut command: Command, place: &Place, metrics: Option<SocketAddr>) -> Self {
        let listen = metrics.unwrap_or(SocketAddr::from(([127, 0, 0, 1], 0)));
        let mut child = command
            .args(["--metrics-listen", &listen.to_string()])
            .args(place.arguments())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut welcome = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut welcome).unwrap();
        let addr = welcome.trim().trim_end_matches('/');
        let addr = addr.rsplit("http://").next().unwrap().parse().unwrap();
        Self {
            child,
            addr,
            metrics,
        }
    }

    /// A browser at this server.
    pub fn client(&self) -> Client {
        Client::new(self.addr)
    }

    /// What it measures, as a scraper gets it.
    pub async fn scrape(&self) -> String {
        let scraper = Client::new(self.metrics.expect("a process that is measured"));
        scraper.get("/metrics").await.text
    }

    /// The sum of a metric's series that have all of these labels.
    pub async fn metric(&self, name: &str, labels: &[&str]) -> f64 {
        let text = self.scrape().await;
        let own = text.lines().filter_map(|line| {
            let (series, value) = line.rsplit_once(' ')?;
            let (own, tags) = series.split_once('{').unwrap_or((series, ""));
            let fits = own == name && labels.iter().all(|label| tags.contains(label));
            fits.then(|| value.parse::<f64>().unwrap())
        });
        own.sum()
    }

    /// Memory that it holds, in KiB.
    pub fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.unwrap().trim().trim_end_matches(" kB");
        kib.parse().unwrap()
    }

    /// SIGTERM; how it ended, and after how long.
    pub fn terminate(mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        let told = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        assert!(told.unwrap().success());
        (self.child.wait().unwrap(), begun.elapsed())
    }

    /// SIGKILL.
    pub async fn kill(mut self) {
        let end = move || {
            self.child.kill().unwrap();
            self.child.wait().unwrap();
        };
        tokio::task::spawn_blocking(end).await.unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
