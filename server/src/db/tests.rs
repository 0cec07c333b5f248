use tempfile::TempDir;
use uuid::Uuid;

use super::{Db, DbError, params};

#[derive(Debug, PartialEq, sqlx::FromRow)]
struct Sample {
    id: Uuid,
    name: String,
    seen: Option<i64>,
    open: bool,
}

async fn database() -> (TempDir, Db) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("house.db").display());
    let db = Db::open(&url).await.unwrap();
    db.migrate().await.unwrap();
    (folder, db)
}

async fn samples(db: &Db) {
    let mut tx = db.write().await.unwrap();
    tx.execute(
        "create table sample (
            id blob primary key, name text not null unique, seen integer, open integer not null,
            constraint named check (length(name) > 0)
        ) strict",
        params![],
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

async fn insert(db: &Db, sample: &Sample) -> Result<(), DbError> {
    let mut tx = db.write().await?;
    tx.execute(
        "insert into sample (id, name, seen, open) values ($1, $2, $3, $4)",
        params![sample.id, sample.name.as_str(), sample.seen, sample.open],
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

async fn count(tx: &mut super::Tx) -> i64 {
    let row = tx
        .fetch_optional::<(i64,)>("select count(*) from sample", params![])
        .await
        .unwrap();
    row.unwrap().0
}

#[tokio::test]
async fn values_come_back_as_they_went_in() {
    let (_folder, db) = database().await;
    samples(&db).await;
    let kept = Sample {
        seen: Some(i64::MAX),
        open: false,
        ..sample(1, "김치 ' \" \u{0} 😀")
    };
    insert(&db, &kept).await.unwrap();
    insert(&db, &sample(2, "b")).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let rows = tx
        .fetch_all::<Sample>("select * from sample order by id", params![])
        .await
        .unwrap();
    assert_eq!(rows, [kept, sample(2, "b")]);
    let by_id = tx
        .fetch_optional::<Sample>(
            "select * from sample where id = $1",
            params![Uuid::from_u128(2)],
        )
        .await
        .unwrap();
    assert_eq!(by_id, Some(sample(2, "b")));
}

#[tokio::test]
async fn a_read_sees_one_moment_while_a_write_commits() {
    let (_folder, db) = database().await;
    samples(&db).await;
    let mut before = db.read().await.unwrap();
    assert_eq!(count(&mut before).await, 0);
    insert(&db, &sample(1, "a")).await.unwrap();
    assert_eq!(count(&mut before).await, 0);
    assert_eq!(count(&mut db.read().await.unwrap()).await, 1);
}

#[tokio::test]
async fn a_dropped_write_leaves_no_trace_and_frees_the_writer() {
    let (_folder, db) = database().await;
    samples(&db).await;
    let mut tx = db.write().await.unwrap();
    tx.execute("delete from sample", params![]).await.unwrap();
    tx.execute(
        "insert into sample values ($1, 'x', null, 1)",
        params![Uuid::nil()],
    )
    .await
    .unwrap();
    drop(tx);
    insert(&db, &sample(1, "a")).await.unwrap();
    assert_eq!(count(&mut db.read().await.unwrap()).await, 1);
}

#[tokio::test]
async fn a_broken_constraint_is_named() {
    let (_folder, db) = database().await;
    samples(&db).await;
    insert(&db, &sample(1, "a")).await.unwrap();
    let twice = insert(&db, &sample(2, "a")).await.unwrap_err();
    assert!(twice.is_constraint("sample_name_key"), "{twice:?}");
    let same_id = insert(&db, &sample(1, "b")).await.unwrap_err();
    assert!(same_id.is_constraint("sample_pkey"), "{same_id:?}");
    let empty = insert(&db, &sample(3, "")).await.unwrap_err();
    assert!(empty.is_constraint("named"), "{empty:?}");
}

#[tokio::test]
async fn foreign_keys_are_held() {
    let (_folder, db) = database().await;
    let mut tx = db.write().await.unwrap();
    let orphan = tx
        .execute(
            "insert into zone (id, store_id, sort, doc) values ($1, $2, 0, '{}')",
            params![Uuid::nil(), Uuid::nil()],
        )
        .await
        .unwrap_err();
    assert!(orphan.is_constraint("foreign_key"), "{orphan:?}");
}

#[tokio::test]
async fn a_read_cannot_write() {
    let (_folder, db) = database().await;
    samples(&db).await;
    let mut tx = db.read().await.unwrap();
    assert!(tx.execute("delete from sample", params![]).await.is_err());
}

#[tokio::test]
async fn a_mistaken_statement_is_no_outage() {
    let (_folder, db) = database().await;
    let mut tx = db.read().await.unwrap();
    let mistake = tx.execute("selct 1", params![]).await.unwrap_err();
    assert!(matches!(mistake, DbError::Statement(_)), "{mistake:?}");
    let misfit = tx
        .fetch_optional::<(Uuid,)>("select 'text'", params![])
        .await
        .unwrap_err();
    assert!(matches!(misfit, DbError::Decode(_)), "{misfit:?}");
}

#[tokio::test]
async fn an_open_file_migrates_again_without_change() {
    let (_folder, db) = database().await;
    db.migrate().await.unwrap();
}

#[tokio::test]
async fn another_scheme_is_refused() {
    let refused = Db::open("postgres://localhost/jumun").await.unwrap_err();
    assert!(matches!(refused, DbError::Url { .. }));
}
