//! The ledger of stock: every change of a counter, by line, with who and why. The sums of its
//! deltas are the counters.

use domain::id::{ReservationId, StockId, StoreId};
use domain::time::Time;
use uuid::Uuid;

use crate::db::{DbError, Tx, params};

/// What a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// The row was opened with so many.
    Stocked,
    /// Somebody counted.
    Adjusted,
    /// Free units are held.
    Reserved,
    /// Units come from another line or hold.
    Taken,
    /// The line's units go to another line or hold.
    Moved,
    /// Some of the line's units go to another line.
    Parted,
    /// Held units are sold.
    Confirmed,
    /// Held units are free again.
    Released,
    /// Held units are free again, past their time.
    Expired,
    /// Free units are sold, under a hold that was past its time.
    Late,
    /// Sold units are back: never cooked.
    Restocked,
    /// The sum of moves of long ago.
    Carried,
}

impl MoveKind {
    /// As written in the database; the indexes of the ledger name them.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stocked => "stocked",
            Self::Adjusted => "adjusted",
            Self::Reserved => "reserved",
            Self::Taken => "taken",
            Self::Moved => "moved",
            Self::Parted => "parted",
            Self::Confirmed => "confirmed",
            Self::Released => "released",
            Self::Expired => "expired",
            Self::Late => "late",
            Self::Restocked => "restocked",
            Self::Carried => "carried",
        }
    }

    /// What one unit of it adds to `on_hand` and to `held`.
    #[must_use]
    pub fn per_unit(self) -> (i64, i64) {
        match self {
            Self::Stocked | Self::Adjusted | Self::Restocked => (1, 0),
            Self::Reserved | Self::Taken => (0, 1),
            Self::Moved | Self::Parted | Self::Released | Self::Expired => (0, -1),
            Self::Confirmed => (-1, -1),
            Self::Late => (-1, 0),
            Self::Carried => (0, 0),
        }
    }
}

/// One move, before it has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Of which row.
    pub stock_id: StockId,
    /// What it is.
    pub kind: MoveKind,
    /// Whose units: hold and line; none when somebody counted.
    pub of: Option<(ReservationId, Uuid)>,
    /// Units; of a count the difference.
    pub quantity: i64,
}

impl Move {
    /// What it adds to `on_hand` and to `held`.
    #[must_use]
    pub fn deltas(&self) -> (i64, i64) {
        let (on_hand, held) = self.kind.per_unit();
        (on_hand * self.quantity, held * self.quantity)
    }
}

/// Who moved, why and when.
#[derive(Clone, Copy, Debug)]
pub struct Cause<'a> {
    /// In which store.
    pub store: StoreId,
    /// Their name.
    pub who: &'a str,
    /// The transition and its reason.
    pub why: &'a str,
    /// When.
    pub at: Time,
}

/// Writes a move at its place, which the update of the row handed out.
///
/// # Errors
/// When the database cannot be reached; units that are closed already are the constraint
/// `stock_move_rid_line_stock_id_key`.
pub async fn moves_insert(
    tx: &mut Tx,
    moves: &[(i64, Move)],
    cause: Cause<'_>,
) -> Result<(), DbError> {
    let into = "insert into stock_move (stock_id, place, store_id, kind, rid, line, quantity, \
        on_hand_delta, held_delta, who, why, moved_at)";
    let values = |(place, moved): &(i64, Move)| {
        let (on_hand, held) = moved.deltas();
        params![
            moved.stock_id,
            *place,
            cause.store,
            moved.kind.name(),
            moved.of.map(|(rid, _)| rid),
            moved.of.map(|(_, line)| line),
            moved.quantity,
            on_hand,
            held,
            cause.who,
            cause.why,
            cause.at,
        ]
    };
    let rows: Vec<_> = moves.iter().map(values).collect();
    tx.insert(into, &rows).await
}

/// A row whose counters are not what its ledger and its holds say.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    /// Which row.
    pub id: Uuid,
    /// Of which store.
    pub store_id: Uuid,
    /// The counter.
    pub on_hand: i64,
    /// The counter.
    pub held: i64,
    /// By the ledger.
    pub ledger_on_hand: i64,
    /// By the ledger.
    pub ledger_held: i64,
    /// By the open holds.
    pub holds_held: i64,
    /// Moves by the row.
    pub moves: i64,
    /// The last place of the ledger.
    pub last_place: i64,
}

/// Recomputes every row; answers those that differ, at most `limit`.
///
/// # Errors
/// When the database cannot be reached.
pub async fn stock_drift(tx: &mut Tx, limit: u32) -> Result<Vec<Drift>, DbError> {
    let sql = "select * from (select stock.id, stock.store_id, stock.on_hand, stock.held, \
        cast(coalesce((select sum(on_hand_delta) from stock_move \
            where stock_move.stock_id = stock.id), 0) as bigint) as ledger_on_hand, \
        cast(coalesce((select sum(held_delta) from stock_move \
            where stock_move.stock_id = stock.id), 0) as bigint) as ledger_held, \
        cast(coalesce((select sum(hold_line.quantity) from hold_line \
            join hold on hold.id = hold_line.rid where hold_line.stock_id = stock.id \
            and hold_line.status = 'held' and hold.status = 'held'), 0) as bigint) as holds_held, \
        stock.moves, \
        cast(coalesce((select max(place) from stock_move \
            where stock_move.stock_id = stock.id), 0) as bigint) as last_place \
        from stock) as counted where on_hand <> ledger_on_hand or held <> ledger_held \
        or held <> holds_held or moves <> last_place order by id limit $1";
    tx.fetch_all::<Drift>(sql, params![limit]).await
}

/// Folds moves from before `before` into one per stock row, of at most `limit` rows.
///
/// # Errors
/// When the database cannot be reached.
pub async fn moves_fold(tx: &mut Tx, before: Time, limit: u32) -> Result<u64, DbError> {
    #[derive(sqlx::FromRow)]
    struct Old {
        stock_id: Uuid,
        store_id: Uuid,
        upto: i64,
        moved_at: i64,
    }
    // Two at least: one that was carried stays.
    let sql = "select stock_id, store_id, max(place) as upto, max(moved_at) as moved_at \
        from stock_move where moved_at < $1 \
        group by stock_id, store_id having count(*) > 1 order by stock_id limit $2";
    let rows = tx.fetch_all::<Old>(sql, params![before, limit]).await?;
    let mut gone = 0;
    for row in rows {
        let (on_hand, held) = sums(tx, row.stock_id, row.upto).await?;
        let sql = "delete from stock_move where stock_id = $1 and place <= $2";
        gone += tx.execute(sql, params![row.stock_id, row.upto]).await?;
        let sql = "insert into stock_move (stock_id, place, store_id, kind, quantity, \
            on_hand_delta, held_delta, who, why, moved_at) \
            values ($1, $2, $3, $4, 0, $5, $6, '', 'carried over', $7)";
        let values = params![
            row.stock_id,
            row.upto,
            row.store_id,
            MoveKind::Carried.name(),
            on_hand,
            held,
            row.moved_at,
        ];
        tx.execute(sql, values).await?;
    }
    Ok(gone)
}

/// The sums of a row's deltas up to a place.
async fn sums(tx: &mut Tx, stock: Uuid, upto: i64) -> Result<(i64, i64), DbError> {
    let sql = "select cast(coalesce(sum(on_hand_delta), 0) as bigint) as on_hand, \
        cast(coalesce(sum(held_delta), 0) as bigint) as held from stock_move \
        where stock_id = $1 and place <= $2";
    let row = tx.fetch_optional::<(i64, i64)>(sql, params![stock, upto]);
    Ok(row.await?.unwrap_or_default())
}
