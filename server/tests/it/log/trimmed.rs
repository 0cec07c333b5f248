//! Cursors around the edge of what the log, or the history behind it, has kept.

use redis::cmd;
use server::hub::{HubConfig, RingLimits};
use server::relay::RelayConfig;

use super::witness::{Witness, key, numbers};
use super::{Kind, Shop};
use crate::hub::house::{House, id, quick};
use crate::hub::reading::Reader;

/// Sixty events are published, of which the log has trimmed the first forty. The ring is short:
/// who comes back is served from further behind.
async fn trimmed() -> (Shop, Witness) {
    let hub = HubConfig {
        ring: RingLimits {
            frames: 5,
            ..RingLimits::default()
        },
        ..quick()
    };
    let mut shop = Shop::with(Kind::Redis, hub, RelayConfig::default()).await;
    let mut witness = Witness::of(&shop.house).await;
    shop.house.emit_many(60).await;
    witness.has_all().await;
    witness.all_is_published().await;
    let key = key(&shop.house);
    let mut trim = cmd("XTRIM");
    let trim = trim.arg(&key).arg("MINID").arg("41-0");
    let gone: u64 = shop.redis().ask(trim).await;
    assert_eq!(gone, 40);
    let kept = numbers(shop.redis(), &key).await;
    assert_eq!(kept, (41..=60).collect::<Vec<_>>());
    (shop, witness)
}

async fn resumes(house: &House, cursor: u64) {
    let mut reader = Reader::connect(house, id(cursor)).await;
    assert_eq!(reader.ready().await.data["resumed"], true);
    let seqs = reader.seqs_upto(60).await;
    assert_eq!(seqs, (cursor + 1..=60).collect::<Vec<_>>());
}

/// Trial C31. The log is a copy: what it trimmed is in the outbox.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cursor_that_the_log_has_trimmed_away_is_resumed_without_a_hole() {
    let (shop, mut witness) = trimmed().await;
    // Far below, the last trimmed but one, the last trimmed, the first entry.
    for cursor in [1, 39, 40, 41] {
        resumes(&shop.house, cursor).await;
    }
    shop.house.emit_many(3).await;
    witness.has_all().await;
}

/// Trial C31, at each edge of what is kept at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cursor_below_all_history_loads_again_and_the_edge_need_not() {
    let (shop, mut witness) = trimmed().await;
    let house = &shop.house;
    house
        .execute("delete from outbox where seq <= 40", &[])
        .await;
    for cursor in [40, 41] {
        resumes(house, cursor).await;
    }
    let mut below = Vec::new();
    for cursor in [1, 39] {
        let mut reader = Reader::connect(house, id(cursor)).await;
        assert_eq!(reader.ready().await.data["resumed"], false);
        let marker = reader.next().await.unwrap();
        assert_eq!(
            (marker.event.as_str(), marker.id),
            ("RELOAD_REQUIRED", None)
        );
        assert_eq!(marker.data["reason"], "HISTORY_EXPIRED");
        below.push(reader);
    }
    // After it they are live from the head, and miss nothing.
    house.emit_many(3).await;
    for reader in &mut below {
        assert_eq!(reader.seqs_upto(63).await, [61, 62, 63]);
    }
    for _ in 0..3 {
        witness.next().await;
    }
}
