//! A screen as a test holds it.

use std::time::Instant;

use domain::bridge::{Input, Status};
use domain::event::Frame;
use domain::store::ClientStore;
use domain::stream::{EventId, Scope};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use super::driver::Driver;
use super::{PATIENCE, Reply, Seen, Staff, Storm};

/// How a screen is made.
#[derive(Clone)]
pub struct Setup {
    pub scopes: Vec<Scope>,
    /// How many times faster than the wall its clock runs.
    pub pace: i64,
    pub seed: u64,
    pub storm: Storm,
    /// Streams that the bridge closed are read on, as if their last events were queued in the
    /// browser.
    pub keeps_closed_streams: bool,
}

impl Setup {
    /// In good weather, in real time.
    pub fn of(scopes: &[Scope]) -> Self {
        Self {
            scopes: scopes.to_vec(),
            pace: 1,
            seed: 1,
            storm: Storm::default(),
            keeps_closed_streams: false,
        }
    }
}

/// What a driver is told.
pub enum Told {
    Bridge(Input),
    Frame(u64, Frame),
    Bad(String),
    /// The clock goes on at this pace; 0 is sleep.
    Pace(i64),
    Look(oneshot::Sender<(ClientStore, Seen, Status)>),
}

/// A running screen; it stops when this is dropped.
pub struct Screen {
    told: mpsc::Sender<Told>,
    seen: watch::Receiver<Seen>,
    driver: AbortHandle,
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Screen {
    pub fn start(staff: &Staff, setup: Setup) -> Self {
        let (told, inbox) = mpsc::channel(1_024);
        let (tell, seen) = watch::channel(Seen::default());
        let driver = Driver::new(staff, setup, told.clone(), tell);
        let driver = tokio::spawn(driver.run(inbox)).abort_handle();
        Self { told, seen, driver }
    }

    /// Tells the bridge something that no server says.
    pub async fn tell(&self, input: Input) {
        assert!(self.told.send(Told::Bridge(input)).await.is_ok());
    }

    /// A command of this screen was answered.
    pub async fn answered(&self, reply: &Reply) {
        if let Some((watermark, entities)) = reply.decided() {
            let entities = Box::new(entities);
            self.tell(Input::Commanded {
                watermark,
                entities,
            })
            .await;
        }
    }

    async fn ask(&self) -> (ClientStore, Seen, Status) {
        let (answer, view) = oneshot::channel();
        assert!(self.told.send(Told::Look(answer)).await.is_ok());
        view.await.expect("the screen runs")
    }

    pub async fn look(&self) -> (ClientStore, Seen) {
        let (store, seen, _) = self.ask().await;
        (store, seen)
    }

    pub async fn status(&self) -> Status {
        self.ask().await.2
    }

    pub fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }

    /// Its clock goes on at this pace: asleep at 0.
    pub async fn pace(&self, pace: i64) {
        assert!(self.told.send(Told::Pace(pace)).await.is_ok());
    }

    /// Waits until what it has seen is so.
    pub async fn until(&self, what: &str, so: impl Fn(&Seen) -> bool) -> Seen {
        let mut seen = self.seen.clone();
        let reached = tokio::time::timeout(PATIENCE, seen.wait_for(|seen| so(seen))).await;
        match reached {
            Ok(Ok(seen)) => seen.clone(),
            _ => panic!("{what} never happened: {:?}", self.seen()),
        }
    }

    /// Waits until the screen has applied `id`.
    pub async fn reaches(&self, id: EventId) -> Seen {
        let what = format!("{id} on the screen");
        self.until(&what, |seen| seen.based && seen.cursor >= id)
            .await
    }

    /// Waits until four beats in a row passed without a request: there is no loop.
    pub async fn rests(&self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let before = self.seen();
            let after = self
                .until("four beats", |seen| seen.beats >= before.beats + 4)
                .await;
            if after.requests == before.requests {
                return;
            }
            assert!(Instant::now() < deadline, "no rest: {after:?}");
        }
    }
}
