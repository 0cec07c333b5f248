//! An nginx of a test's own: in a temporary folder, on a free port, of one process.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::free_port;

const MISSING: &str = "these tests need nginx, and it is not here. \
    On Debian: apt-get install nginx-light (tests start their own nginx, never Debian's)";

/// What keeps it inside its folder.
const OWN: &str = "client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; \
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;";

/// A running nginx. Dropped, it is killed.
pub struct Nginx {
    child: Child,
    folder: TempDir,
    pub addr: SocketAddr,
}

/// A configuration with what is of this machine put in its place.
fn prepared(config: &str, addr: SocketAddr) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert!(config.contains("http {"), "{config}");
    let config = config
        .replace("http {", &format!("http {{ {OWN}"))
        .replace("listen 80;", &format!("listen {addr};"))
        .replace("/dev/stdout", "access.log")
        .replace("error_log stderr", "error_log error.log");
    std::fs::write(folder.path().join("nginx.conf"), config).unwrap();
    folder
}

fn command(folder: &TempDir) -> Command {
    let mut command = Command::new(program());
    command.arg("-p").arg(folder.path());
    command.args(["-c", "nginx.conf", "-e", "error.log", "-g"]);
    command.arg("daemon off; master_process off; pid nginx.pid;");
    command
}

/// Where Debian puts it is not on everybody's path.
fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.push("/usr/sbin".into());
    let programs = folders.into_iter().map(|folder| folder.join("nginx"));
    let found = programs.into_iter().find(|program| program.is_file());
    found.unwrap_or_else(|| panic!("{MISSING}"))
}

impl Nginx {
    /// With this configuration, in which it listens on port 80.
    pub async fn start(config: &str) -> Self {
        let addr = SocketAddr::from(([127, 0, 0, 1], free_port()));
        let folder = prepared(config, addr);
        let child = command(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut nginx = Self {
            child,
            folder,
            addr,
        };
        nginx.answers().await;
        nginx
    }

    async fn answers(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(self.addr).await.is_err() {
            let ended = self.child.try_wait().unwrap().is_some();
            assert!(
                !ended && Instant::now() < deadline,
                "nginx does not start:\n{}",
                self.log("error.log")
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// What it wrote into a file of its folder.
    pub fn log(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// `nginx -t`: whether it would start.
    pub fn check(config: &str) -> Output {
        let folder = prepared(config, SocketAddr::from(([127, 0, 0, 1], free_port())));
        command(&folder).arg("-t").output().unwrap()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
