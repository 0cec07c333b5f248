//! The real binary in a process of its own, which may be told to leave or be killed.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{Client, Place};

/// `jumun serve`. Dropped, it is killed.
pub struct Process {
    child: Child,
    pub addr: SocketAddr,
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

impl Process {
    /// Serves the demo restaurant from this place on a free port.
    pub fn serve(place: &Place) -> Self {
        let mut child = jumun(&["serve", "--demo", "--listen", "127.0.0.1:0"])
            .args(["--metrics-listen", "127.0.0.1:0"])
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
        Self { child, addr }
    }

    /// A browser at this server.
    pub fn client(&self) -> Client {
        Client::new(self.addr)
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
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
