//! An event that was in the log and is lost before anybody read it, and the negative control of
//! realtime, section 7: with the tail check off it is lost for good.

use server::hub::HubConfig;
use server::relay::RelayConfig;
use server::store::outbox::OutboxRow;

use super::witness::{Witness, key};
use super::{Kind, Shop};
use crate::hub::house::{House, quick};
use crate::support::Redis;

/// The next event is committed, another node's relay publishes it, and the log is flushed
/// before this node reads it: in one step of the server, so that no reader comes between.
pub async fn published_and_flushed(house: &House, redis: &Redis) {
    published_and_then(house, redis, &["FLUSHALL"]).await;
}

/// The same with any loss.
pub async fn published_and_then(house: &House, redis: &Redis, loss: &[&str]) {
    let row = OutboxRow {
        published_at: Some(house.clock.now()),
        ..house.row("ORDER_CHANGED", "{}".to_owned())
    };
    let seq = house.commit_row(row.clone()).await.seq;
    let mut pipe = redis::pipe();
    pipe.atomic();
    let add = pipe.cmd("XADD").arg(key(house)).arg(format!("{seq}-0"));
    add.arg("outboxId").arg(row.outbox_id.to_string());
    add.arg("type").arg(&*row.kind);
    add.arg("at").arg(row.created_at.0);
    add.arg("payload").arg(&row.payload).ignore();
    let lose = pipe.cmd(loss[0]);
    for argument in &loss[1..] {
        lose.arg(*argument);
    }
    lose.ignore();
    pipe.exec_async(&mut redis.line().await.unwrap())
        .await
        .unwrap();
}

async fn followed(tail_check: bool) -> (Shop, Witness) {
    let mut hub: HubConfig = quick();
    hub.guards.tail_check = tail_check;
    let shop = Shop::with(Kind::Redis, hub, RelayConfig::default()).await;
    let mut witness = Witness::of(&shop.house).await;
    shop.house.emit_many(5).await;
    witness.has_all().await;
    witness.all_is_published().await;
    (shop, witness)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_was_flushed_before_it_was_read_comes_from_the_outbox() {
    let (mut shop, mut witness) = followed(true).await;
    let house = shop.house.clone();
    published_and_flushed(&house, shop.redis()).await;
    witness.has_all().await;
    house.emit_many(3).await;
    witness.has_all().await;
}

/// Negative control: the test above does see the loss.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_tail_check_the_flushed_event_never_comes() {
    let (mut shop, mut witness) = followed(false).await;
    let house = shop.house.clone();
    published_and_flushed(&house, shop.redis()).await;
    // Four times as long as the tail check takes: the stream says itself that it is behind.
    let mut behind = 0;
    while behind < 40 {
        let frame = witness.reader.next().await.unwrap();
        assert_eq!(frame.event, "heartbeat", "{frame:?}");
        assert_ne!(frame.data["sent"], "9f3a61c2:6");
        behind += i32::from(frame.data["head"] == "9f3a61c2:6");
    }
}
