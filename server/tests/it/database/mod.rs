//! What every statement relies on, on both engines.

pub mod postgres;

use rstest::rstest;
use server::db::{Db, DbError, Tx, Value};
use uuid::Uuid;

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::Place;

#[derive(Debug, PartialEq, sqlx::FromRow)]
struct Sample {
    id: Uuid,
    name: String,
    seen: Option<i64>,
    open: bool,
}

const NONE: [Value; 0] = [];

/// A database with a table of the test's own.
async fn database(engine: Engine) -> (Place, Db) {
    let place = Place::on(engine).await;
    let db = place.open().await;
    let mut tx = db.write().await.unwrap();
    let sql = match engine {
        Sqlite => {
            "create table sample (
                id blob primary key, name text not null unique, seen integer,
                open integer not null, constraint named check (length(name) > 0)
            ) strict"
        }
        Postgres => {
            "create table sample (
                id uuid primary key, name text not null unique, seen bigint,
                open boolean not null, constraint named check (length(name) > 0)
            )"
        }
    };
    tx.execute(sql, NONE).await.unwrap();
    tx.commit().await.unwrap();
    (place, db)
}

async fn insert(db: &Db, sample: &Sample) -> Result<(), DbError> {
    let mut tx = db.write().await?;
    tx.execute(
        "insert into sample (id, name, seen, open) values ($1, $2, $3, $4)",
        [
            Value::from(sample.id),
            Value::from(sample.name.as_str()),
            Value::from(sample.seen),
            Value::from(sample.open),
        ],
    )
    .await?;
    tx.commit().await
}

fn sample(n: u128, name: &str) -> Sample {
    Sample {
        id: Uuid::from_u128(n),
        name: name.to_owned(),
        seen: None,
        open: true,
    }
}

async fn count(tx: &mut Tx) -> i64 {
    let row = tx
        .fetch_optional::<(i64,)>("select count(*) from sample", NONE)
        .await
        .unwrap();
    row.unwrap().0
}

#[rstest]
#[tokio::test]
async fn values_come_back_as_they_went_in(#[values(Sqlite, Postgres)] engine: Engine) {
    let (_place, db) = database(engine).await;
    let kept = Sample {
        seen: Some(i64::MAX),
        open: false,
        ..sample(1, "김치 ' \" \u{1} 😀")
    };
    insert(&db, &kept).await.unwrap();
    insert(&db, &sample(2, "b")).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let rows = tx
        .fetch_all::<Sample>("select * from sample order by id", NONE)
        .await
        .unwrap();
    assert_eq!(rows, [kept, sample(2, "b")]);
    let by_id = tx
        .fetch_optional::<Sample>(
            "select * from sample where id = $1",
            [Value::from(Uuid::from_u128(2))],
        )
        .await
        .unwrap();
    assert_eq!(by_id, Some(sample(2, "b")));
}

/// TEXT of PostgreSQL has no place for this character.
#[rstest]
#[tokio::test]
async fn a_text_with_a_nul_is_kept_and_found(#[values(Sqlite, Postgres)] engine: Engine) {
    let (_place, db) = database(engine).await;
    insert(&db, &sample(1, "a\0b")).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let sql = "select * from sample where name = $1";
    let found = tx.fetch_optional::<Sample>(sql, [Value::from("a\0b")]);
    let found = found.await.unwrap();
    assert_eq!(found.unwrap().id, Uuid::from_u128(1));
}

#[rstest]
#[tokio::test]
async fn what_is_undone_leaves_what_was_done_before_the_mark(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (_place, db) = database(engine).await;
    let put = "insert into sample values ($1, $2, null, true)";
    let values = |n: u128| [Value::from(Uuid::from_u128(n)), Value::from(n.to_string())];
    let mut tx = db.write().await.unwrap();
    tx.execute(put, values(1)).await.unwrap();
    tx.mark().await.unwrap();
    tx.execute(put, values(2)).await.unwrap();
    let [_, name] = values(2);
    let again = tx.execute(put, [Value::from(Uuid::nil()), name]).await;
    assert!(again.unwrap_err().is_constraint("sample_name_key"));
    tx.undo().await.unwrap();
    tx.execute(put, values(3)).await.unwrap();
    tx.commit().await.unwrap();
    let sql = "select id from sample order by id";
    let mut tx = db.read().await.unwrap();
    let left = tx.fetch_all::<(Uuid,)>(sql, NONE).await.unwrap();
    let left: Vec<u128> = left.iter().map(|(id,)| id.as_u128()).collect();
    assert_eq!(left, [1, 3]);
}

#[rstest]
#[tokio::test]
async fn a_read_sees_one_moment_while_a_write_commits(#[values(Sqlite, Postgres)] engine: Engine) {
    let (_place, db) = database(engine).await;
    let mut before = db.read().await.unwrap();
    assert_eq!(count(&mut before).await, 0);
    insert(&db, &sample(1, "a")).await.unwrap();
    assert_eq!(count(&mut before).await, 0);
    assert_eq!(count(&mut db.read().await.unwrap()).await, 1);
}

#[rstest]
#[tokio::test]
async fn a_dropped_write_leaves_no_trace_and_frees_the_writer(
    #[values(Sqlite, Postgres)] engine: Engine,
) {
    let (_place, db) = database(engine).await;
    let mut tx = db.write().await.unwrap();
    tx.execute("delete from sample", NONE).await.unwrap();
    tx.execute(
        "insert into sample values ($1, 'x', null, true)",
        [Value::from(Uuid::nil())],
    )
    .await
    .unwrap();
    drop(tx);
    insert(&db, &sample(1, "a")).await.unwrap();
    assert_eq!(count(&mut db.read().await.unwrap()).await, 1);
}

#[rstest]
#[tokio::test]
async fn a_broken_constraint_is_named(#[values(Sqlite, Postgres)] engine: Engine) {
    let (_place, db) = database(engine).await;
    insert(&db, &sample(1, "a")).await.unwrap();
    let twice = insert(&db, &sample(2, "a")).await.unwrap_err();
    assert!(twice.is_constraint("sample_name_key"), "{twice:?}");
    let same_id = insert(&db, &sample(1, "b")).await.unwrap_err();
    assert!(same_id.is_constraint("sample_pkey"), "{same_id:?}");
    let empty = insert(&db, &sample(3, "")).await.unwrap_err();
    assert!(empty.is_constraint("named"), "{empty:?}");
}

#[rstest]
#[tokio::test]
async fn foreign_keys_are_held(#[values(Sqlite, Postgres)] engine: Engine) {
    let (_place, db) = database(engine).await;
    let mut tx = db.write().await.unwrap();
    let orphan = tx
        .execute(
            "insert into zone (id, store_id, sort, doc) values ($1, $2, 0, '{}')",
            [Value::from(Uuid::nil()), Value::from(Uuid::nil())],
        )
        .await
        .unwrap_err();
    assert!(orphan.is_constraint("foreign_key"), "{orphan:?}");
}

#[rstest]
#[tokio::test]
async fn a_read_cannot_write(#[values(Sqlite, Postgres)] engine: Engine) {
    let (_place, db) = database(engine).await;
    let mut tx = db.read().await.unwrap();
    assert!(tx.execute("delete from sample", NONE).await.is_err());
}

#[rstest]
#[tokio::test]
async fn a_mistaken_statement_is_no_outage(#[values(Sqlite, Postgres)] engine: Engine) {
    let (_place, db) = database(engine).await;
    let mut tx = db.read().await.unwrap();
    let mistake = tx.execute("selct 1", NONE).await.unwrap_err();
    assert!(matches!(mistake, DbError::Statement(_)), "{mistake:?}");
    let mut tx = db.read().await.unwrap();
    let misfit = tx
        .fetch_optional::<(Uuid,)>("select 'text'", NONE)
        .await
        .unwrap_err();
    assert!(matches!(misfit, DbError::Decode(_)), "{misfit:?}");
}

#[rstest]
#[tokio::test]
async fn an_open_file_migrates_again_without_change(#[values(Sqlite, Postgres)] engine: Engine) {
    let (_place, db) = database(engine).await;
    db.migrate().await.unwrap();
}
