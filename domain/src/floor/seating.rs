//! What staff do with tables. Each function is given every table it may touch, changes all or
//! nothing, and bumps the version of those it changed.

use std::collections::BTreeSet;

use super::{Party, Table, TableState};
use crate::id::{PartyId, TableId};
use crate::sorting::sort_by_key;
use crate::time::Time;

/// The most guests of one party.
pub const MAX_COVERS: u32 = 99;

/// Why a command is refused. No table is changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefusedSeating {
    /// Not among the tables given.
    #[error("no such table")]
    UnknownTable(TableId),
    /// Guests sit there.
    #[error("guests sit at this table")]
    Occupied(TableId),
    /// Nobody sits there.
    #[error("nobody sits at this table")]
    NotSeated(TableId),
    /// It has to be cleaned first.
    #[error("the table has to be cleaned first")]
    Dirty(TableId),
    /// Not 1..=99.
    #[error("covers are 1 to 99")]
    Covers,
    /// The party sits at one table only, or the other table is not another one.
    #[error("these tables are not joined, or it is the same table")]
    SameTable,
}

type Seated<T = ()> = Result<T, RefusedSeating>;

fn find(tables: &[Table], id: TableId) -> Seated<&Table> {
    tables
        .iter()
        .find(|table| table.id == id)
        .ok_or(RefusedSeating::UnknownTable(id))
}

fn party_at(tables: &[Table], id: TableId) -> Seated<Party> {
    find(tables, id)?
        .party
        .clone()
        .ok_or(RefusedSeating::NotSeated(id))
}

fn free(tables: &[Table], id: TableId) -> Seated {
    match find(tables, id)?.state {
        TableState::Free => Ok(()),
        TableState::Seated => Err(RefusedSeating::Occupied(id)),
        TableState::Dirty => Err(RefusedSeating::Dirty(id)),
    }
}

fn set(table: &mut Table, state: TableState, party: Option<Party>) {
    if table.state != state || table.party != party {
        table.state = state;
        table.party = party;
        table.version += 1;
    }
}

/// Puts `party` at its tables, and nobody at the tables of `left`.
fn spread(tables: &mut [Table], mut party: Party, left: &[TableId], left_as: TableState) -> Party {
    let place = |id: &TableId| {
        let table = tables.iter().find(|table| table.id == *id);
        table.map(|table| (table.sort, table.id))
    };
    sort_by_key(&mut party.table_ids, place);
    for table in tables {
        if party.table_ids.contains(&table.id) {
            set(table, TableState::Seated, Some(party.clone()));
        } else if left.contains(&table.id) {
            set(table, left_as, None);
        }
    }
    party
}

fn valid(covers: Option<u32>) -> Seated {
    match covers {
        Some(covers) if !(1..=MAX_COVERS).contains(&covers) => Err(RefusedSeating::Covers),
        Some(_) | None => Ok(()),
    }
}

/// Opens a party at a free table.
///
/// # Errors
/// The table is not free, or the covers are not 1..=99.
pub fn seat(
    tables: &mut [Table],
    at: TableId,
    id: PartyId,
    covers: Option<u32>,
    now: Time,
) -> Seated<Party> {
    valid(covers)?;
    free(tables, at)?;
    let party = Party {
        id,
        table_ids: vec![at],
        covers,
        seated_at: now,
        bill_requested_at: None,
    };
    Ok(spread(tables, party, &[], TableState::Free))
}

/// Changes the number of guests.
///
/// # Errors
/// Nobody sits there, or the covers are not 1..=99.
pub fn covers(tables: &mut [Table], at: TableId, covers: u32) -> Seated {
    valid(Some(covers))?;
    let party = Party {
        covers: Some(covers),
        ..party_at(tables, at)?
    };
    spread(tables, party, &[], TableState::Free);
    Ok(())
}

/// The party has left: its tables wait to be cleaned. The caller has closed its orders.
///
/// # Errors
/// Nobody sits there.
pub fn clear(tables: &mut [Table], at: TableId) -> Seated<Party> {
    let party = party_at(tables, at)?;
    for table in tables
        .iter_mut()
        .filter(|table| party.table_ids.contains(&table.id))
    {
        set(table, TableState::Dirty, None);
    }
    Ok(party)
}

/// The table is ready again; a free one stays so.
///
/// # Errors
/// Guests sit there.
pub fn cleaned(tables: &mut [Table], at: TableId) -> Seated {
    match find(tables, at)?.state {
        TableState::Seated => return Err(RefusedSeating::Occupied(at)),
        TableState::Free | TableState::Dirty => {}
    }
    for table in tables.iter_mut().filter(|table| table.id == at) {
        set(table, TableState::Free, None);
    }
    Ok(())
}

/// The party asks for the bill; the first time counts.
///
/// # Errors
/// Nobody sits there.
pub fn bill(tables: &mut [Table], at: TableId, now: Time) -> Seated {
    let mut party = party_at(tables, at)?;
    party.bill_requested_at.get_or_insert(now);
    spread(tables, party, &[], TableState::Free);
    Ok(())
}

/// 자리이동: the whole party moves to one free table; what it leaves has to be cleaned.
///
/// # Errors
/// Nobody sits at `from`, `to` is not free, or they are the same.
pub fn transfer(tables: &mut [Table], from: TableId, to: TableId) -> Seated<Party> {
    let party = party_at(tables, from)?;
    if party.table_ids.contains(&to) {
        return Err(RefusedSeating::SameTable);
    }
    free(tables, to)?;
    let left = party.table_ids.clone();
    let party = Party {
        table_ids: vec![to],
        ..party
    };
    Ok(spread(tables, party, &left, TableState::Dirty))
}

/// 합석: other tables join the party at `at`. Free ones are added; parties that sit at the
/// others become part of it. Answers with the joined party and the parties that ended in it.
///
/// # Errors
/// Nobody sits at `at`, another table is dirty, or none is another one.
pub fn join(
    tables: &mut [Table],
    at: TableId,
    others: &[TableId],
) -> Seated<(Party, Vec<PartyId>)> {
    let mut party = party_at(tables, at)?;
    let mut each = BTreeSet::new();
    each.extend(others);
    let mut ended = Vec::new();
    let mut grew = false;
    for id in each {
        let other = find(tables, id)?;
        if party.table_ids.contains(&id) {
            continue;
        }
        grew = true;
        match (&other.state, &other.party) {
            (TableState::Dirty, _) => return Err(RefusedSeating::Dirty(id)),
            (TableState::Free | TableState::Seated, None) => party.table_ids.push(id),
            (TableState::Free | TableState::Seated, Some(guests)) => {
                party.table_ids.extend(&guests.table_ids);
                party.covers = match (party.covers, guests.covers) {
                    (Some(a), Some(b)) => Some(a.saturating_add(b).min(MAX_COVERS)),
                    (a, b) => a.or(b),
                };
                party.seated_at = party.seated_at.min(guests.seated_at);
                party.bill_requested_at = party.bill_requested_at.or(guests.bill_requested_at);
                ended.push(guests.id);
            }
        }
    }
    if !grew {
        return Err(RefusedSeating::SameTable);
    }
    Ok((spread(tables, party, &[], TableState::Free), ended))
}

/// A party after its tables parted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The party that stays at the table named in the command.
    pub stays: Party,
    /// New parties, one a table that has orders of its own.
    pub split: Vec<Party>,
}

/// Joined tables part. The party stays at `at`; each other table with orders placed at it
/// (`with_orders`) gets a party of its own from `new_party`, the rest become free.
///
/// # Errors
/// Nobody sits at `at`, or its party has one table only.
pub fn unjoin(
    tables: &mut [Table],
    at: TableId,
    with_orders: &BTreeSet<TableId>,
    mut new_party: impl FnMut() -> PartyId,
) -> Seated<Apart> {
    let party = party_at(tables, at)?;
    if party.table_ids.len() < 2 {
        return Err(RefusedSeating::SameTable);
    }
    let others: Vec<TableId> = party
        .table_ids
        .iter()
        .copied()
        .filter(|id| *id != at)
        .collect();
    let (own, free): (Vec<TableId>, Vec<TableId>) =
        others.into_iter().partition(|id| with_orders.contains(id));
    let mut split = Vec::new();
    for id in own {
        let new = Party {
            id: new_party(),
            table_ids: vec![id],
            covers: None,
            ..party.clone()
        };
        split.push(spread(tables, new, &[], TableState::Free));
    }
    let stays = Party {
        table_ids: vec![at],
        ..party
    };
    let stays = spread(tables, stays, &free, TableState::Free);
    Ok(Apart { stays, split })
}
