//! The schema of both engines is one: the same steps, tables, columns, keys and indexes.

use std::collections::BTreeSet;
use std::path::Path;

use server::db::{Db, Value};

use crate::support::Engine::{self, Postgres, Sqlite};
use crate::support::Place;

fn steps(engine: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("migrations")
        .join(engine);
    let files = std::fs::read_dir(folder).unwrap();
    let name = |file: std::io::Result<std::fs::DirEntry>| file.unwrap().file_name();
    files
        .map(|file| name(file).into_string().unwrap())
        .collect()
}

#[test]
fn every_step_is_there_for_both_engines_under_one_name() {
    assert_eq!(steps("sqlite"), steps("postgres"));
}

/// What each statement tells of the schema, one text a row.
struct Questions {
    /// Table, column, kind, and whether it may be missing.
    columns: &'static str,
    /// Table, column, table it refers to, and what becomes of it with that.
    keys: &'static str,
    /// Name and table of each index that is named; and table and columns of each that is unique.
    indexes: &'static str,
}

const OF_SQLITE: Questions = Questions {
    columns: "select t.name || '.' || c.name || ' ' || \
        case c.type when 'BLOB' then 'id' when 'INTEGER' then 'number' else lower(c.type) end \
        || case when c.\"notnull\" or c.pk > 0 then '' else '?' end as told \
        from sqlite_master t join pragma_table_info(t.name) c \
        where t.type = 'table' and t.name not like '\\_sqlx%' escape '\\' \
        and t.name not like 'sqlite%'",
    keys: "select t.name || '.' || k.\"from\" || ' ' || k.\"table\" || ' ' || \
        lower(k.on_delete) as told \
        from sqlite_master t join pragma_foreign_key_list(t.name) k where t.type = 'table'",
    indexes: "select case i.origin when 'c' then i.name || ' ' || t.name else \
        t.name || ' ' || (select group_concat(name, ',') from \
        (select name from pragma_index_info(i.name) order by seqno)) end as told \
        from sqlite_master t join pragma_index_list(t.name) i \
        where t.type = 'table' and t.name not like '\\_sqlx%' escape '\\'",
};

const OF_POSTGRES: Questions = Questions {
    columns: "select table_name || '.' || column_name || ' ' || \
        case data_type when 'uuid' then 'id' when 'bigint' then 'number' \
        when 'boolean' then 'number' else data_type end \
        || case is_nullable when 'YES' then '?' else '' end as told \
        from information_schema.columns \
        where table_schema = 'public' and table_name not like '\\_sqlx%'",
    keys: "select k.conrelid::regclass || '.' || a.attname || ' ' || k.confrelid::regclass || ' ' \
        || case k.confdeltype when 'c' then 'cascade' when 'a' then 'no action' end as told \
        from pg_constraint k \
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey) \
        where k.contype = 'f'",
    indexes: "select case when k.conname is null then i.relname || ' ' || t.relname else \
        t.relname || ' ' || (select string_agg(a.attname, ',' order by p.place) from \
        unnest(k.conkey) with ordinality p (number, place) \
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.number) end as told \
        from pg_index x join pg_class i on i.oid = x.indexrelid \
        join pg_class t on t.oid = x.indrelid \
        join pg_namespace n on n.oid = t.relnamespace \
        left join pg_constraint k on k.conindid = x.indexrelid and k.contype in ('p', 'u') \
        where n.nspname = 'public' and t.relname not like '\\_sqlx%'",
};

async fn told(db: &Db, sql: &'static str) -> BTreeSet<String> {
    let none: [Value; 0] = [];
    let mut tx = db.read().await.unwrap();
    let rows = tx.fetch_all::<(String,)>(sql, none).await.unwrap();
    assert!(!rows.is_empty());
    rows.into_iter().map(|(told,)| told).collect()
}

async fn schema(engine: Engine) -> [BTreeSet<String>; 3] {
    let place = Place::on(engine).await;
    let db = place.open().await;
    let asked = match engine {
        Sqlite => OF_SQLITE,
        Postgres => OF_POSTGRES,
    };
    [
        told(&db, asked.columns).await,
        told(&db, asked.keys).await,
        told(&db, asked.indexes).await,
    ]
}

#[tokio::test]
async fn tables_columns_keys_and_indexes_are_the_same_on_both_engines() {
    let (here, there) = (schema(Sqlite).await, schema(Postgres).await);
    for (sqlite, postgres) in here.iter().zip(&there) {
        let only_sqlite: Vec<_> = sqlite.difference(postgres).collect();
        let only_postgres: Vec<_> = postgres.difference(sqlite).collect();
        assert!(
            only_sqlite.is_empty() && only_postgres.is_empty(),
            "only on SQLite: {only_sqlite:#?}\nonly on PostgreSQL: {only_postgres:#?}"
        );
    }
}
