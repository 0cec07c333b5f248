//! A process that starts on a log without a single entry.

use redis::cmd;
use rstest::rstest;
use server::hub::Hub;
use server::log::Log;
use server::relay::Relay;

use super::errors::Errors;
use super::witness::{Witness, key, numbers};
use super::{Kind, Shop};
use crate::hub::house::{House, id, quick};
use crate::hub::reading::Reader;
use crate::support::Redis;

/// Another process on the same data, which nobody of the first one tells anything.
fn another(house: &House, redis: &Redis) -> House {
    let (db, clock) = (house.db.clone(), house.clock.clone());
    let log = Log::redis(redis.config()).unwrap();
    let hub = Hub::new(quick(), db.clone(), clock.clone(), log.clone());
    let mut another = house.clone();
    another.relay = Relay::new(db, clock, log.clone(), hub.clone());
    another.hub = hub;
    another.log = log;
    another
}

async fn open(house: &House, cursor: u64) -> Reader {
    let who = house.who(Some(id(cursor)));
    let mut reader = Reader::new(house.hub.subscribe(who).await.unwrap());
    let ready = reader.ready().await;
    assert_eq!(ready.data["resumed"], true);
    reader
}

/// More beats than a blocked read is long: nothing makes a screen load again.
async fn quiet(reader: &mut Reader, sent: u64) {
    for _ in 0..12 {
        let frame = reader.next().await.unwrap();
        assert_eq!(frame.event, "heartbeat", "{frame:?}");
        assert_eq!(frame.data["sent"], id(sent).to_string());
    }
}

/// Trial C38: there is no key, and a baseline taken now has watermark 0 of its epoch.
#[tokio::test]
async fn a_log_without_a_key_is_no_error_and_the_first_order_comes() {
    let errors = Errors::counted();
    let mut shop = Shop::open(Kind::Redis).await;
    let key = key(&shop.house);
    let mut witness = Witness::of(&shop.house).await;
    let mut reader = open(&shop.house, 0).await;
    quiet(&mut reader, 0).await;
    assert!(!shop.redis().ask::<bool>(cmd("EXISTS").arg(&key)).await);
    shop.house.emit().await;
    assert_eq!(reader.next_soon().await.unwrap().id, Some(id(1)));
    witness.has_all().await;
    witness.all_is_published().await;
    assert_eq!(numbers(shop.redis(), &key).await, [1]);
    assert_eq!(errors.lines(), 0);
}

/// Trial C38: the key is there and has no entry, and a last id above nothing.
#[rstest]
#[case::trimmed(false)]
#[case::deleted_one_by_one(true)]
#[tokio::test]
async fn a_log_that_was_emptied_is_no_error_and_no_screen_loads_again(#[case] one_by_one: bool) {
    let errors = Errors::counted();
    let (mut shop, mut witness) = Shop::followed().await;
    witness.all_is_published().await;
    let key = key(&shop.house);
    let gone: u64 = if one_by_one {
        let mut delete = cmd("XDEL");
        delete.arg(&key);
        for seq in 1..=20 {
            delete.arg(format!("{seq}-0"));
        }
        shop.redis().ask(&delete).await
    } else {
        let mut trim = cmd("XTRIM");
        shop.redis()
            .ask(trim.arg(&key).arg("MAXLEN").arg("0"))
            .await
    };
    assert_eq!(gone, 20);
    assert!(shop.redis().ask::<bool>(cmd("EXISTS").arg(&key)).await);

    let house = shop.house.clone();
    let started = another(&house, shop.redis());
    let mut at_head = open(&started, 20).await;
    let mut behind = open(&started, 15).await;
    assert_eq!(behind.seqs_upto(20).await, (16..=20).collect::<Vec<_>>());
    quiet(&mut at_head, 20).await;
    house.emit().await;
    for reader in [&mut at_head, &mut behind] {
        assert_eq!(reader.next_soon().await.unwrap().id, Some(id(21)));
    }
    witness.has_all().await;
    witness.all_is_published().await;
    assert_eq!(numbers(shop.redis(), &key).await, [21]);
    assert_eq!(errors.lines(), 0);
}
