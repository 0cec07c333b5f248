//! One restaurant on a real database with a real hub behind a real socket, but without the
//! commands: tests write the outbox as commands do.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::id::{OutboxId, SessionId, StaffId, StationId, StoreId};
use domain::stream::{Epoch, EventId};
use server::clock::Clock;
use server::config::Engine;
use server::db::{Db, Value};
use server::hub::{Hub, HubConfig, KitchenScreen, Peer, Refused, Sockets, Subscription};
use server::log::Log;
use server::relay::{Relay, RelayConfig};
use server::store::outbox::{OutboxRow, outbox_insert, payload_bounded};
use server::store::stream::stream_take;
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::support::Place;

pub const EPOCH: Epoch = Epoch(0x9f3a_61c2);

pub fn id(seq: u64) -> EventId {
    EventId::new(EPOCH, seq)
}

#[derive(Clone)]
pub struct House {
    pub db: Db,
    pub clock: Clock,
    pub hub: Hub,
    pub log: Log,
    pub relay: Relay,
    pub store: StoreId,
    pub session: SessionId,
    pub addr: SocketAddr,
    pub http: reqwest::Client,
    numbers: Arc<AtomicU64>,
    place: Place,
}

/// Short times, wide limits.
pub fn quick() -> HubConfig {
    HubConfig {
        heartbeat: Duration::from_millis(100),
        streams_per_node: 10_000,
        streams_per_store: 10_000,
        streams_per_session: 10_000,
        streams_per_second: 100_000,
        spread: Duration::ZERO,
        ..HubConfig::default()
    }
}

impl House {
    pub async fn open(config: HubConfig) -> Self {
        Self::on(Engine::Sqlite, config, Clock::system()).await
    }

    pub async fn on(engine: Engine, config: HubConfig, clock: Clock) -> Self {
        let place = Place::on(engine).await;
        Self::at(place, config, clock, Log::local(), RelayConfig::default()).await
    }

    /// On any log, over the engine that goes with it. Its relay publishes when the test lets it run.
    pub async fn over(config: HubConfig, clock: Clock, log: Log, relay: RelayConfig) -> Self {
        let engine = match log {
            Log::Local(_) => Engine::Sqlite,
            Log::Redis(_) => Engine::Postgres,
        };
        let place = Place::on(engine).await;
        Self::at(place, config, clock, log, relay).await
    }

    /// With its data at any place.
    pub async fn at(
        place: Place,
        config: HubConfig,
        clock: Clock,
        log: Log,
        relay: RelayConfig,
    ) -> Self {
        let db = place.open().await;
        let stall = config.slow_consumer;
        let hub = Hub::new(config, db.clone(), clock.clone(), log.clone());
        let relay = Relay::with_config(relay, db.clone(), clock.clone(), log.clone(), hub.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let mut house = Self {
            db,
            clock,
            hub,
            log,
            relay,
            store: StoreId(Uuid::nil()),
            session: SessionId(Uuid::nil()),
            addr,
            http: reqwest::Client::new(),
            numbers: Arc::new(AtomicU64::new(1)),
            place,
        };
        (house.store, house.session) = house.another_store("one").await;
        house.listen(listener, stall);
        house
    }

    fn listen(&self, listener: TcpListener, stall: Duration) {
        let router = axum::Router::new()
            .route("/stream", axum::routing::get(stream))
            .with_state(self.clone());
        let sockets = Sockets::new(listener, stall);
        let service = router.into_make_service_with_connect_info::<Peer>();
        tokio::spawn(axum::serve(sockets, service).into_future());
    }

    /// A store with one member of staff, signed in.
    pub async fn another_store(&self, code: &str) -> (StoreId, SessionId) {
        let store = StoreId(Uuid::now_v7());
        let staff = StaffId(Uuid::now_v7());
        let mut tx = self.db.write().await.unwrap();
        tx.execute(
            "insert into store (id, code, version, doc, business_day, next_cut_at) \
             values ($1, $2, 1, '{}', '2026-03-01', 9000000000000)",
            [Value::from(store), Value::from(code)],
        )
        .await
        .unwrap();
        tx.execute(
            "insert into store_stream (store_id, epoch, seq) values ($1, $2, 0)",
            [Value::from(store), Value::from(EPOCH.0)],
        )
        .await
        .unwrap();
        tx.execute(
            "insert into staff (id, store_id, login, name, role, pin_hash) \
             values ($1, $2, 'owner', 'Owner', 'owner', '')",
            [Value::from(staff), Value::from(store)],
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        let session = self.another_session(store).await;
        (store, session)
    }

    pub async fn another_session(&self, store: StoreId) -> SessionId {
        let session = SessionId(Uuid::now_v7());
        let mut tx = self.db.write().await.unwrap();
        tx.execute(
            "insert into session (id, token_hash, store_id, staff_id, created_at, expires_at) \
             select $1, $2, $3, id, 0, $4 from staff where store_id = $3",
            [
                Value::from(session),
                Value::from(session.to_string()),
                Value::from(store),
                Value::from(self.clock.now().plus(12 * 3_600_000)),
            ],
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        session
    }

    pub async fn execute(&self, sql: &'static str, params: &[Value]) {
        let mut tx = self.db.write().await.unwrap();
        tx.execute(sql, params).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Commits one event of this house.
    pub async fn emit(&self) -> EventId {
        self.emit_for(self.store).await
    }

    pub async fn emit_for(&self, store: StoreId) -> EventId {
        let order = self.numbers.fetch_add(1, Ordering::Relaxed);
        let payload = format!(
            r#"{{"id":"{}","version":1}}"#,
            Uuid::from_u128(order.into())
        );
        self.emit_as(store, "ORDER_CHANGED", payload).await
    }

    pub async fn emit_as(&self, store: StoreId, kind: &'static str, payload: String) -> EventId {
        let id = self.commit(store, kind, payload).await;
        self.relay.committed(store);
        id
    }

    /// Commits one event as another process would: nobody is woken.
    pub async fn commit(&self, store: StoreId, kind: &'static str, payload: String) -> EventId {
        let row = self.row(kind, payload_bounded(payload));
        self.commit_row(OutboxRow {
            store_id: store,
            ..row
        })
        .await
    }

    /// An event of this house as a command makes it; it has its number when it is committed.
    pub fn row(&self, kind: &'static str, payload: String) -> OutboxRow {
        let now = self.clock.now();
        OutboxRow {
            store_id: self.store,
            seq: 0,
            outbox_id: OutboxId(Uuid::now_v7()),
            kind: kind.into(),
            payload,
            created_at: now,
            published_at: self.log.is_born_published().then_some(now),
            dead: false,
        }
    }

    /// Commits a row under the next number.
    pub async fn commit_row(&self, row: OutboxRow) -> EventId {
        let mut tx = self.db.write().await.unwrap();
        let id = stream_take(&mut tx, row.store_id, 1).await.unwrap();
        let row = OutboxRow { seq: id.seq, ..row };
        outbox_insert(&mut tx, &[row]).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// The address of its database.
    pub fn url(&self) -> String {
        self.place.url().to_owned()
    }

    pub async fn emit_many(&self, count: usize) -> EventId {
        let mut last = EventId::NONE;
        for _ in 0..count {
            last = self.emit().await;
        }
        last
    }

    /// A subscription of this house with that cursor.
    pub fn who(&self, cursor: Option<EventId>) -> Subscription {
        Subscription {
            store: self.store,
            session: self.session,
            connection_id: "bridge".to_owned(),
            cursor,
            kitchen: None,
            health: None,
        }
    }

    pub fn who_cooks(&self, connection_id: &str, station: Option<StationId>) -> Subscription {
        Subscription {
            connection_id: connection_id.to_owned(),
            kitchen: Some(KitchenScreen { station }),
            ..self.who(Some(EventId::NONE))
        }
    }
}

async fn stream(
    State(house): State<House>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Query(query): Query<Vec<(String, String)>>,
) -> Response {
    let cursor = query.iter().find(|(name, _)| name == "cursor");
    let cursor = cursor.map_or(Some(EventId::NONE), |(_, text)| text.parse().ok());
    let who = Subscription {
        health: Some(peer.health),
        ..house.who(cursor)
    };
    match house.hub.subscribe(who).await {
        Ok(stream) => Body::from_stream(stream).into_response(),
        Err(Refused::Draining | Refused::History(_)) => {
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        Err(Refused::TooMany(_)) => StatusCode::TOO_MANY_REQUESTS.into_response(),
    }
}

/// Waits until the condition holds, at most ten seconds.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    while !holds().await {
        assert!(
            tokio::time::Instant::now() < deadline,
            "{what} never happened"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}
