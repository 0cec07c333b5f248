//! Answers under their keys.

use domain::stream::EventId;
use rstest::rstest;
use server::store::idempotency::{
    MEMORY, Remembered, answer_expire, answer_find, answer_save, answers_copy,
};
use uuid::Uuid;

use super::house::{EPOCH, House, NOW};
use crate::support::Engine::{self, Postgres, Sqlite};

fn answer(body: &str) -> Remembered {
    Remembered {
        fingerprint: "print".to_owned(),
        status: 201,
        body: body.to_owned(),
        watermark: Some(EventId::new(EPOCH, 7)),
    }
}

#[rstest]
#[tokio::test]
async fn the_first_answer_under_a_key_stays_for_a_day(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let (waiter, cook) = (Uuid::now_v7(), Uuid::now_v7());
    let (first, second) = (answer("first"), answer("second"));
    let tomorrow = NOW.plus(MEMORY);
    let mut tx = house.write().await;
    assert_eq!(answer_find(&mut tx, waiter, "k", NOW).await.unwrap(), None);
    answer_save(&mut tx, waiter, "k", &first, NOW)
        .await
        .unwrap();
    let late = tomorrow.plus(-1);
    answer_save(&mut tx, waiter, "k", &second, late)
        .await
        .unwrap();
    for (actor, key, now, found) in [
        (waiter, "k", late, Some(&first)),
        (waiter, "k", tomorrow, None),
        (waiter, "K", NOW, None),
        (cook, "k", NOW, None),
    ] {
        let kept = answer_find(&mut tx, actor, key, now).await.unwrap();
        assert_eq!(kept.as_ref(), found, "{key}");
    }
    answer_save(&mut tx, waiter, "k", &second, tomorrow)
        .await
        .unwrap();
    let kept = answer_find(&mut tx, waiter, "k", tomorrow).await.unwrap();
    assert_eq!(kept, Some(second), "a key that is forgotten is new");
}

#[rstest]
#[tokio::test]
async fn answers_go_along_and_go_after_a_day(#[values(Sqlite, Postgres)] engine: Engine) {
    let house = House::open(engine).await;
    let (from, to) = (Uuid::now_v7(), Uuid::now_v7());
    let refused = Remembered {
        status: 409,
        watermark: None,
        ..answer("refused")
    };
    let mut tx = house.write().await;
    answer_save(&mut tx, from, "a", &answer("a"), NOW)
        .await
        .unwrap();
    answer_save(&mut tx, from, "b", &refused, NOW)
        .await
        .unwrap();
    answer_save(&mut tx, to, "b", &answer("own"), NOW)
        .await
        .unwrap();
    answers_copy(&mut tx, from, to).await.unwrap();
    for (actor, key, body) in [(from, "b", "refused"), (to, "a", "a"), (to, "b", "own")] {
        let kept = answer_find(&mut tx, actor, key, NOW).await.unwrap();
        assert_eq!(kept.unwrap().body, body);
    }
    let kept = answer_find(&mut tx, from, "b", NOW).await.unwrap();
    assert_eq!(kept, Some(refused));
    let tomorrow = NOW.plus(MEMORY);
    assert_eq!(
        answer_expire(&mut tx, tomorrow.plus(-1), 9).await.unwrap(),
        0
    );
    assert_eq!(answer_expire(&mut tx, tomorrow, 3).await.unwrap(), 3);
    assert_eq!(answer_expire(&mut tx, tomorrow, 3).await.unwrap(), 1);
}
