//! A transaction that took its number and is long in committing it.

use rstest::rstest;
use server::db::Tx;
use server::relay::RelayConfig;
use server::store::outbox::{OutboxRow, outbox_insert};
use server::store::stream::stream_take;
use tokio::task::JoinHandle;

use super::witness::{Witness, head};
use super::{Kind, Shop};
use crate::hub::house::{House, quick};
use crate::support::Engine;

/// A slow transaction has number 2, and a fast one wants the next.
struct Late {
    shop: Shop,
    witness: Witness,
    slow: Tx,
    fast: JoinHandle<u64>,
}

impl Late {
    async fn open(engine: Engine, kind: Kind) -> Self {
        let shop = Shop::on(engine, kind, quick(), RelayConfig::default()).await;
        let mut witness = Witness::of(&shop.house).await;
        shop.house.emit().await;
        witness.has_all().await;
        let mut slow = shop.house.db.write().await.unwrap();
        let low = stream_take(&mut slow, shop.house.store, 1).await.unwrap();
        assert_eq!(low.seq, 2);
        let house = shop.house.clone();
        let fast = tokio::spawn(async move { house.emit().await.seq });
        // Beats of the stream pass, and the fast one has no number yet. Nor does anybody who
        // asks for a watermark now hear of one that is not committed.
        witness.beats(3).await;
        assert!(!fast.is_finished());
        assert_eq!(head(&shop.house).await.seq, 1);
        Self {
            shop,
            witness,
            slow,
            fast,
        }
    }
}

fn second(house: &House) -> OutboxRow {
    let row = house.row("ORDER_CHANGED", "{}".to_owned());
    OutboxRow { seq: 2, ..row }
}

/// Trial C23. A number is taken under a lock that lasts until commit (realtime, section 1):
/// whoever takes the next one waits, so that a relay which has seen a number has seen all before
/// it.
#[rstest]
#[case::local(Engine::Sqlite, Kind::Local)]
#[case::redis(Engine::Sqlite, Kind::Redis)]
#[case::redis_and_postgres(Engine::Postgres, Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_low_number_never_commits_late(#[case] engine: Engine, #[case] kind: Kind) {
    let mut late = Late::open(engine, kind).await;
    let row = second(&late.shop.house);
    outbox_insert(&mut late.slow, &[row]).await.unwrap();
    late.slow.commit().await.unwrap();
    assert_eq!(late.fast.await.unwrap(), 3);
    late.witness.has_all().await;
    late.witness.all_is_published().await;
}

/// Trial C23, rolled back: the next one has the number, and there is no event to wait for.
#[rstest]
#[case::local(Engine::Sqlite, Kind::Local)]
#[case::redis(Engine::Sqlite, Kind::Redis)]
#[case::redis_and_postgres(Engine::Postgres, Kind::Redis)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_number_that_is_rolled_back_is_the_next_ones(#[case] engine: Engine, #[case] kind: Kind) {
    let mut late = Late::open(engine, kind).await;
    let row = second(&late.shop.house);
    outbox_insert(&mut late.slow, &[row]).await.unwrap();
    drop(late.slow);
    assert_eq!(late.fast.await.unwrap(), 2);
    late.witness.has_all().await;
    late.witness.all_is_published().await;
}

/// Trial C23: only the store itself waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_transaction_of_one_store_holds_up_no_other() {
    let (engine, relay) = (Engine::Postgres, RelayConfig::default());
    let shop = Shop::on(engine, Kind::Redis, quick(), relay).await;
    let (other, _) = shop.house.another_store("two").await;
    let mut slow = shop.house.db.write().await.unwrap();
    stream_take(&mut slow, other, 1).await.unwrap();
    let mut witness = Witness::of(&shop.house).await;
    shop.house.emit_many(3).await;
    witness.has_all().await;
    witness.all_is_published().await;
    drop(slow);
}
