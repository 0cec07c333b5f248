//! The demo restaurant in this process, on a port and a file of its own. The file is a copy of
//! one that was opened once, with the owner and the kitchen signed in.

use std::net::SocketAddr;
use std::path::Path;

use clap::Parser as _;
use domain::time::Time;
use server::clock::Clock;
use server::config::{Cli, Command, Config};
use server::http::App;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::Staff;

/// An hour before a business day ends in Seoul: 2026-03-02, 04:00.
const LATE: Time = Time(1_772_391_600_000);

struct Template {
    file: Vec<u8>,
    owner: Staff,
    kitchen: Staff,
}

pub struct House {
    pub app: App,
    pub addr: SocketAddr,
    pub owner: Staff,
    pub kitchen: Staff,
    pub shutdown: CancellationToken,
    served: JoinHandle<()>,
    folder: TempDir,
}

fn config(folder: &Path) -> Config {
    let url = format!("sqlite:{}", folder.join("house.db").display());
    let site = folder.join("site").display().to_string();
    let arguments = [
        "jumun",
        "serve",
        "--demo",
        "--database-url",
        &url,
        "--site-dir",
        &site,
        "--spread-ms",
        "0",
        "--heartbeat-ms",
        "200",
        "--max-streams-per-session",
        "500",
    ];
    match Cli::parse_from(arguments).command {
        Command::Serve(config) => Config {
            metrics_listen: None,
            ..config
        },
        other => panic!("not serve: {other:?}"),
    }
}

async fn template(clock: Clock) -> Template {
    let folder = tempfile::tempdir().unwrap();
    let house = House::over(folder, |_| {}, clock, |app| app, None).await;
    let template = Template {
        owner: house.owner.clone(),
        kitchen: house.kitchen.clone(),
        file: {
            let folder = house.leave().await;
            std::fs::read(folder.path().join("house.db")).unwrap()
        },
    };
    assert!(!template.file.is_empty());
    template
}

impl House {
    /// By the machine's clock, with a heartbeat of 200 ms.
    pub async fn open(change: impl FnOnce(&mut Config)) -> Self {
        static TEMPLATE: OnceCell<Template> = OnceCell::const_new();
        let template = TEMPLATE.get_or_init(|| template(Clock::system())).await;
        Self::copy(template, change, Clock::system(), |app| app).await
    }

    /// By a clock that stands an hour before the end of a business day.
    pub async fn late(change: impl FnOnce(&mut Config), prepare: impl FnOnce(App) -> App) -> Self {
        static TEMPLATE: OnceCell<Template> = OnceCell::const_new();
        let template = TEMPLATE.get_or_init(|| template(Clock::manual(LATE))).await;
        Self::copy(template, change, Clock::manual(LATE), prepare).await
    }

    async fn copy(
        template: &Template,
        change: impl FnOnce(&mut Config),
        clock: Clock,
        prepare: impl FnOnce(App) -> App,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("house.db"), &template.file).unwrap();
        Self::over(folder, change, clock, prepare, Some(template)).await
    }

    async fn over(
        folder: TempDir,
        change: impl FnOnce(&mut Config),
        clock: Clock,
        prepare: impl FnOnce(App) -> App,
        template: Option<&Template>,
    ) -> Self {
        let mut config = config(folder.path());
        change(&mut config);
        let app = prepare(server::open(config, clock).await.unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        let served = server::serve(app.clone(), listener, shutdown.clone());
        let served = tokio::spawn(async move { served.await.unwrap() });
        let (owner, kitchen) = match template {
            Some(known) => (known.owner.through(addr), known.kitchen.through(addr)),
            None => (
                Staff::login(addr, "owner", "1000").await,
                Staff::login(addr, "kitchen", "5000").await,
            ),
        };
        Self {
            app,
            addr,
            owner,
            kitchen,
            shutdown,
            served,
            folder,
        }
    }

    /// Stops it as SIGTERM does; its file stays.
    pub async fn leave(self) -> TempDir {
        self.shutdown.cancel();
        self.served.await.unwrap();
        self.folder
    }

    /// Stops it, and starts it again on the same file.
    pub async fn restart(self) -> Self {
        let (clock, owner, kitchen) = (
            self.app.clock.clone(),
            self.owner.clone(),
            self.kitchen.clone(),
        );
        let template = Template {
            file: Vec::new(),
            owner,
            kitchen,
        };
        let folder = self.leave().await;
        Self::over(folder, |_| {}, clock, |app| app, Some(&template)).await
    }
}
