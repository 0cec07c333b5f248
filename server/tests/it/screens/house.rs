//! The demo restaurant in this process, on a port and a database of its own. The database is a copy
//! of one that was opened once, with the owner and the kitchen signed in.

use std::net::SocketAddr;

use clap::Parser as _;
use domain::time::Time;
use server::clock::Clock;
use server::config::{Cli, Command, Config};
use server::http::App;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::Staff;
use crate::support::{Engine, Place, Seed};

/// An hour before a business day ends in Seoul: 2026-03-02, 04:00.
const LATE: Time = Time(1_772_391_600_000);

struct Template {
    seed: Seed,
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
    place: Place,
}

fn config(place: &Place) -> Config {
    let site = place.folder().join("site").display().to_string();
    let own = [
        "jumun",
        "serve",
        "--demo",
        "--site-dir",
        &site,
        "--spread-ms",
        "0",
        "--heartbeat-ms",
        "200",
        "--max-streams-per-session",
        "500",
    ];
    let arguments = own.into_iter().map(str::to_owned);
    match Cli::parse_from(arguments.chain(place.arguments())).command {
        Command::Serve(config) => Config {
            metrics_listen: None,
            ..config
        },
        other => panic!("not serve: {other:?}"),
    }
}

async fn template(engine: Engine, clock: Clock) -> Template {
    let place = Place::on(engine).await;
    let house = House::over(place, |_| {}, clock, |app| app, None).await;
    Template {
        owner: house.owner.clone(),
        kitchen: house.kitchen.clone(),
        seed: house.leave().await.into_seed(),
    }
}

/// What was opened once, on each engine.
struct Templates {
    sqlite: OnceCell<Template>,
    postgres: OnceCell<Template>,
}

impl Templates {
    const fn new() -> Self {
        Self {
            sqlite: OnceCell::const_new(),
            postgres: OnceCell::const_new(),
        }
    }

    async fn of(&'static self, engine: Engine, clock: Clock) -> &'static Template {
        let cell = match engine {
            Engine::Sqlite => &self.sqlite,
            Engine::Postgres => &self.postgres,
        };
        cell.get_or_init(|| template(engine, clock)).await
    }
}

impl House {
    /// By the machine's clock, with a heartbeat of 200 ms.
    pub async fn open(change: impl FnOnce(&mut Config)) -> Self {
        Self::on(Engine::Sqlite, change).await
    }

    pub async fn on(engine: Engine, change: impl FnOnce(&mut Config)) -> Self {
        static TEMPLATES: Templates = Templates::new();
        let template = TEMPLATES.of(engine, Clock::system()).await;
        Self::copy(template, change, Clock::system(), |app| app).await
    }

    /// By a clock that stands an hour before the end of a business day.
    pub async fn late(change: impl FnOnce(&mut Config), prepare: impl FnOnce(App) -> App) -> Self {
        Self::late_on(Engine::Sqlite, change, prepare).await
    }

    pub async fn late_on(
        engine: Engine,
        change: impl FnOnce(&mut Config),
        prepare: impl FnOnce(App) -> App,
    ) -> Self {
        static TEMPLATES: Templates = Templates::new();
        let template = TEMPLATES.of(engine, Clock::manual(LATE)).await;
        Self::copy(template, change, Clock::manual(LATE), prepare).await
    }

    async fn copy(
        template: &'static Template,
        change: impl FnOnce(&mut Config),
        clock: Clock,
        prepare: impl FnOnce(App) -> App,
    ) -> Self {
        let place = Place::copy(&template.seed).await;
        let people = (&template.owner, &template.kitchen);
        Self::over(place, change, clock, prepare, Some(people)).await
    }

    /// The demo with its data on this server.
    pub async fn at(place: Place) -> Self {
        Self::over(place, |_| {}, Clock::system(), |app| app, None).await
    }

    async fn over(
        place: Place,
        change: impl FnOnce(&mut Config),
        clock: Clock,
        prepare: impl FnOnce(App) -> App,
        known: Option<(&Staff, &Staff)>,
    ) -> Self {
        let mut config = config(&place);
        change(&mut config);
        let app = prepare(server::open(config, clock).await.unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        let served = server::serve(app.clone(), listener, shutdown.clone());
        let served = tokio::spawn(async move { served.await.unwrap() });
        let (owner, kitchen) = match known {
            Some((owner, kitchen)) => (owner.through(addr), kitchen.through(addr)),
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
            place,
        }
    }

    /// Stops it as SIGTERM does; its data stays.
    pub async fn leave(self) -> Place {
        self.shutdown.cancel();
        self.served.await.unwrap();
        self.place
    }

    /// Stops it, and starts it again over the same data.
    pub async fn restart(self) -> Self {
        let (clock, owner, kitchen) = (
            self.app.clock.clone(),
            self.owner.clone(),
            self.kitchen.clone(),
        );
        let place = self.leave().await;
        let people = (&owner, &kitchen);
        Self::over(place, |_| {}, clock, |app| app, Some(people)).await
    }
}
