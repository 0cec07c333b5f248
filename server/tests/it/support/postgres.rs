//! A PostgreSQL of the tests' own: in a temporary folder, on a free port, and gone with the
//! process, however that ends.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::free_port;

const MISSING: &str = "these tests need PostgreSQL 15 or newer, and it is not here. \
    On Debian: apt-get install postgresql (tests start their own server, never Debian's)";

/// Runs the server until its own input ends, which it does when the tests end in any way. Then the
/// folder goes, unless it was told a word.
const KEEPER: &str = r#"
folder=$1; shift
"$@" & server=$!
read -r word
kill -QUIT $server 2>/dev/null
wait $server
[ -n "$word" ] || rm -rf "$folder"
"#;

/// For a server that nobody pulls the plug of.
const HASTY: [&str; 3] = [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
];

/// A language whose order of letters is not that of their bytes: nothing may depend on it.
const INITDB: [&str; 7] = [
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale-provider=icu",
    "--icu-locale=en",
    "--locale=C",
    "--no-sync",
];

/// A server with its data.
pub struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    settings: &'static [&'static str],
    /// User and group to run as: PostgreSQL refuses to be root.
    user: Option<(u32, u32)>,
    keeper: Child,
    databases: AtomicUsize,
}

impl Cluster {
    /// The one of this process, in which each test has databases of its own.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(&HASTY))
    }

    /// One that keeps what it has answered through a [`Cluster::kill`].
    pub fn durable() -> Self {
        Self::start(&[])
    }

    fn start(settings: &'static [&'static str]) -> Self {
        let programs = programs().unwrap_or_else(|| panic!("{MISSING}"));
        let folder = tempfile::tempdir().unwrap().keep();
        let root = fs::metadata(&folder).unwrap().uid() == 0;
        let user = root.then(|| user("postgres").unwrap_or_else(|| panic!("{MISSING}")));
        if let Some((uid, gid)) = user {
            chown(&folder, Some(uid), Some(gid)).unwrap();
        }
        let data = folder.join("data");
        let mut initdb = as_user(user, &programs.join("initdb"), &folder);
        initdb.args(INITDB).arg("--pgdata").arg(&data);
        finish(&mut initdb);
        let port = free_port();
        let keeper = keep(&programs, &folder, port, settings, user);
        let mut cluster = Self {
            programs,
            folder,
            port,
            settings,
            user,
            keeper,
            databases: AtomicUsize::new(0),
        };
        cluster.wait();
        cluster
    }

    /// Waits until it answers.
    fn wait(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !self.client("pg_isready", &["--timeout=1"]).status.success() {
            let ended = self.keeper.try_wait().unwrap().is_some();
            assert!(
                !ended && Instant::now() < deadline,
                "PostgreSQL does not start:\n{}",
                fs::read_to_string(self.folder.join("log")).unwrap_or_default()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn client(&self, program: &str, arguments: &[&str]) -> std::process::Output {
        Command::new(self.programs.join(program))
            .args(["--host=127.0.0.1", "--username=postgres"])
            .arg(format!("--port={}", self.port))
            .args(arguments)
            .output()
            .unwrap()
    }

    /// The address of a new database, a copy of the one named or an empty one.
    pub fn create(&self, template: Option<&str>) -> String {
        let number = self.databases.fetch_add(1, Ordering::SeqCst);
        let name = format!("house_{number}");
        let template = template.and_then(|url| url.rsplit('/').next());
        let template = format!("--template={}", template.unwrap_or("template0"));
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let made = self.client("createdb", &["--strategy=file_copy", &template, &name]);
            if made.status.success() {
                return format!("postgres://postgres@127.0.0.1:{}/{name}", self.port);
            }
            // Connections of the template's last house may be about to end.
            let told = String::from_utf8_lossy(&made.stderr);
            let busy = told.contains("being accessed by other users");
            assert!(busy && Instant::now() < deadline, "createdb: {told}");
        }
    }

    /// Forgets a database, whoever is connected to it.
    pub fn remove(&self, url: &str) {
        let name = url.rsplit('/').next().unwrap();
        self.client("dropdb", &["--force", "--if-exists", name]);
    }

    /// `kill -9`, and starts it again: same data, same port.
    pub fn kill_and_restart(&mut self) {
        self.kill();
        self.revive();
    }

    /// `kill -9`; its data stays.
    pub fn kill(&mut self) {
        let pid = fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap();
        let killed = Command::new("kill").args(["-9", pid]).status().unwrap();
        assert!(killed.success());
        let told = self.keeper.stdin.take().unwrap().write_all(b"stay\n");
        told.unwrap();
        self.keeper.wait().unwrap();
    }

    /// Starts it again.
    pub fn revive(&mut self) {
        self.keeper = keep(
            &self.programs,
            &self.folder,
            self.port,
            self.settings,
            self.user,
        );
        self.wait();
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// Starts the server under its keeper, in a group of its own: Ctrl-C is for the tests.
fn keep(
    programs: &Path,
    folder: &Path,
    port: u16,
    settings: &[&str],
    user: Option<(u32, u32)>,
) -> Child {
    let mut log = File::options();
    let log = log.create(true).append(true).open(folder.join("log"));
    let log = log.unwrap();
    let mut keeper = as_user(user, Path::new("sh"), folder);
    keeper.args(["-c", KEEPER, "keeper"]).arg(folder);
    keeper.arg(programs.join("postgres"));
    keeper.arg("-D").arg(folder.join("data"));
    let port = format!("port={port}");
    let own = [
        &*port,
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
    ];
    for setting in own.iter().chain(&["max_connections=500"]).chain(settings) {
        keeper.args(["-c", setting]);
    }
    keeper
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

fn as_user(user: Option<(u32, u32)>, program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    if let Some((uid, gid)) = user {
        command.uid(uid).gid(gid);
    }
    command
}

fn finish(command: &mut Command) {
    let done = command.output().unwrap();
    assert!(done.status.success(), "{command:?}: {done:?}");
}

/// The newest version that Debian installed, else what the path has.
fn programs() -> Option<PathBuf> {
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let version = |folder: &PathBuf| -> Option<u32> {
        let name = folder.file_name()?.to_str()?;
        name.parse().ok()
    };
    let debian = installed
        .flatten()
        .map(|entry| entry.path())
        .filter(|folder| folder.join("bin/initdb").exists())
        .filter(|folder| version(folder) >= Some(15))
        .max_by_key(version)
        .map(|folder| folder.join("bin"));
    debian.or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|folder| folder.join("initdb").exists())
    })
}

/// User and group of this name.
fn user(name: &str) -> Option<(u32, u32)> {
    let known = fs::read_to_string("/etc/passwd").ok()?;
    let mut line = known.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(name)).then(|| fields.skip(1))
    })?;
    Some((line.next()?.parse().ok()?, line.next()?.parse().ok()?))
}
