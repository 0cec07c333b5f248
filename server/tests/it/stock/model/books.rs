//! The invariants of the spec, held against the rows of the database after every step: what is new
//! since the last one is added up, so that a long life costs no more a step than a short one.

use std::collections::HashMap;
use std::sync::Mutex;

use domain::stock::Stock;
use server::db::{Tx, Value};
use server::store::outbox::outbox_between;
use uuid::Uuid;

use super::super::{Larder, Moved};
use super::rules::{INITIAL, Model};

/// What the ledger of a row adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    place: i64,
    on_hand: i64,
    held: i64,
    adjusted: i64,
    restocked: i64,
    sold: i64,
    /// Of the last event.
    version: u64,
}

#[derive(Default)]
struct Known {
    seq: u64,
    rows: [Row; 2],
    /// How often the units of a line were opened and closed.
    lines: HashMap<(Uuid, Uuid, Uuid), [u8; 2]>,
}

/// Everything that was read so far.
pub struct Books {
    ids: [Uuid; 2],
    known: Mutex<Known>,
}

#[derive(sqlx::FromRow)]
struct Stored {
    on_hand: i64,
    held: i64,
    moves: i64,
    version: i64,
    doc: String,
    open: i64,
}

impl Books {
    pub async fn open(larder: &Larder) -> Self {
        let mut known = Known {
            seq: larder.house.seq().await,
            ..Known::default()
        };
        for row in &mut known.rows {
            row.version = 1;
        }
        Self {
            ids: ['A', 'B'].map(|name| larder.rows[&name].1.0),
            known: Mutex::new(known),
        }
    }

    /// One moment of the database, against the model and everything before.
    pub async fn check(&self, larder: &Larder, model: &Model, refused: bool) {
        let mut tx = larder.house.server.app.db.read().await.unwrap();
        let mut stored = Vec::new();
        let mut moved = Vec::new();
        let places = self.known.lock().unwrap().rows.map(|row| row.place);
        for (id, place) in self.ids.into_iter().zip(places) {
            stored.push(stored_row(&mut tx, id).await);
            moved.push(moves_after(&mut tx, id, place).await);
        }
        let seq = self.known.lock().unwrap().seq;
        let news = outbox_between(&mut tx, larder.store, seq, u64::MAX >> 1, 1_000);
        let news = news.await.unwrap();
        let refunds = refunds(&mut tx).await;
        drop(tx);
        let mut known = self.known.lock().unwrap();
        let mut prefixes = Vec::new();
        for (row, moves) in moved.iter().enumerate() {
            if refused {
                // A sweep may have gone before; nothing of the command itself is there.
                assert!(
                    moves.iter().all(|moved| moved.kind == "expired"),
                    "{moves:?}"
                );
            }
            prefixes.push(known.enter(row, moves));
        }
        for event in news {
            known.seq += 1;
            assert_eq!(event.seq, known.seq, "dense");
            if event.kind == "STOCK_CHANGED" {
                let stock: Stock = serde_json::from_str(&event.payload).unwrap();
                if let Some(row) = self.ids.iter().position(|id| *id == stock.id.0) {
                    known.told(row, &stock, &prefixes[row]);
                }
            }
        }
        for (row, stored) in stored.iter().enumerate() {
            known.is(row, stored, model);
        }
        let due = model.orders.iter().filter(|order| order.refund).count();
        assert_eq!(refunds, due, "refunds");
    }
}

impl Known {
    /// Adds moves up; the counters after each of them.
    fn enter(&mut self, row: usize, moves: &[Moved]) -> Vec<(i64, i64)> {
        let mut prefixes = Vec::new();
        for moved in moves {
            let sums = &mut self.rows[row];
            sums.place += 1;
            sums.on_hand += moved.on_hand_delta;
            sums.held += moved.held_delta;
            assert_eq!(sums.place, moved.place, "dense: {moved:?}");
            assert!(
                0 <= sums.held && sums.held <= sums.on_hand,
                "{sums:?}: {moved:?}"
            );
            match moved.kind.as_str() {
                "adjusted" => sums.adjusted += moved.on_hand_delta,
                "restocked" => sums.restocked += moved.on_hand_delta,
                "confirmed" | "late" => sums.sold -= moved.on_hand_delta,
                _ => {}
            }
            prefixes.push((sums.on_hand, sums.held));
            self.open_or_close(moved);
        }
        prefixes
    }

    fn open_or_close(&mut self, moved: &Moved) {
        let (Some(rid), Some(line)) = (moved.rid, moved.line) else {
            return;
        };
        let whole = (rid, Uuid::nil(), moved.stock_id);
        match moved.kind.as_str() {
            "reserved" | "taken" => {
                self.lines.entry(whole).or_default()[0] = 1;
                self.lines.entry((rid, line, moved.stock_id)).or_default()[0] += 1;
            }
            "confirmed" | "released" | "expired" | "moved" => {
                self.lines.entry((rid, line, moved.stock_id)).or_default()[1] += 1;
            }
            // Parted past its time, it holds nothing before it sells.
            "late" => return self.lines.entry(whole).or_default()[0] = 1,
            // Back: a part of a line that was sold has a line of its own.
            _ => return assert_eq!(self.lines[&whole][0], 1, "{moved:?}"),
        }
        let of = self.lines[&(rid, line, moved.stock_id)];
        assert!(of[0] == 1 && of[1] <= 1, "{of:?}: {moved:?}");
    }

    /// An event of a row is of its next version, and tells what the ledger came to.
    fn told(&mut self, row: usize, stock: &Stock, prefixes: &[(i64, i64)]) {
        self.rows[row].version += 1;
        assert_eq!(stock.version, self.rows[row].version, "{stock:?}");
        let counts = (stock.on_hand, stock.held);
        assert!(prefixes.contains(&counts), "{stock:?}: {prefixes:?}");
        assert_eq!(stock.available, stock.on_hand - stock.held);
    }

    fn is(&self, row: usize, stored: &Stored, model: &Model) {
        let sums = &self.rows[row];
        let counters = (stored.on_hand, stored.held, stored.moves);
        assert_eq!(counters, (sums.on_hand, sums.held, sums.place), "ledger");
        assert_eq!(stored.held, stored.open, "open holds");
        assert_eq!(stored.version as u64, sums.version, "events");
        let stock: Stock = serde_json::from_str(&stored.doc).unwrap();
        let told = (stock.version, stock.on_hand, stock.held);
        assert_eq!(told, (sums.version, stored.on_hand, stored.held));
        let (came, went) = (
            INITIAL[row] + sums.adjusted + sums.restocked,
            stock.available + stock.held + sums.sold,
        );
        assert_eq!(came, went, "{sums:?}");
        assert_eq!(stored.on_hand, model.on_hand[row], "{row}");
        // The house sweeps in its own time.
        let (least, more) = (model.held()[row], model.overdue()[row]);
        assert!(
            (least..=least + more).contains(&stored.held),
            "{row}: held {}, the model {least} and {more} overdue",
            stored.held
        );
        assert_eq!(
            (sums.adjusted, sums.restocked, sums.sold),
            (model.adjusted[row], model.restocked[row], model.sold[row]),
            "{row}: adjusted, restocked, sold"
        );
    }
}

async fn stored_row(tx: &mut Tx, id: Uuid) -> Stored {
    let sql = "select on_hand, held, moves, version, doc, \
        cast(coalesce((select sum(hold_line.quantity) from hold_line \
            join hold on hold.id = hold_line.rid where hold_line.stock_id = stock.id \
            and hold_line.status = 'held' and hold.status = 'held'), 0) as bigint) as open \
        from stock where id = $1";
    let row = tx.fetch_optional::<Stored>(sql, [Value::from(id)]);
    row.await.unwrap().unwrap()
}

async fn moves_after(tx: &mut Tx, id: Uuid, place: i64) -> Vec<Moved> {
    let sql = "select stock_id, place, kind, rid, line, on_hand_delta, held_delta \
        from stock_move where stock_id = $1 and place > $2 order by place";
    let rows = tx.fetch_all::<Moved>(sql, [Value::from(id), Value::from(place)]);
    rows.await.unwrap()
}

async fn refunds(tx: &mut Tx) -> usize {
    let sql = "select count(*) from refund_due where settled_at is null";
    let row = tx.fetch_optional::<(i64,)>(sql, []).await.unwrap();
    row.unwrap().0.try_into().unwrap()
}
