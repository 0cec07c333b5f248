-- Holds on stock (reservations). The counters of a stock row are `on_hand` and `held`; available
-- is their difference. A hold never changes `on_hand`.

alter table stock add column blocked integer not null default 0;
alter table stock add column deleted_at integer;
-- How many rows of `stock_move` it has: the place of the last one.
alter table stock add column moves integer not null default 0;

create table hold (
    id blob primary key,
    store_id blob not null references store (id),
    -- Whose it is: a phone, a session, a terminal, an order.
    owner text not null,
    -- The cart it was made for; an owner may have several.
    actor text not null,
    -- Shown to managers.
    holder text not null,
    -- What it holds, to be adopted by; see `domain::stock::Demand::content`.
    content text not null,
    -- The same while the cart may find it again by it.
    signature text,
    status text not null,
    reason text,
    order_id blob,
    -- Of the first hold of a chain in which each replaces the one before.
    started_at integer not null,
    created_at integer not null,
    expires_at integer not null,
    max_until integer not null,
    closed_at integer,
    -- Why a worker rejected it: the short rows as JSON.
    shorts text
) strict;
create unique index hold_store_id_actor_signature_key on hold (store_id, actor, signature)
    where status in ('pending', 'held') and signature is not null;
create index hold_due on hold (expires_at) where status in ('pending', 'held');
create index hold_open on hold (store_id, created_at) where status in ('pending', 'held');
create index hold_closed on hold (closed_at) where closed_at is not null;

-- The units of one stock row that one line holds. `line` is the order's line, or the cart's.
create table hold_line (
    rid blob not null references hold (id) on delete cascade,
    line blob not null,
    stock_id blob not null references stock (id),
    -- The line's place in the request.
    place integer not null,
    quantity integer not null,
    status text not null,
    primary key (rid, line, stock_id),
    constraint hold_line_has_units check (quantity > 0)
) strict;
create index hold_line_line on hold_line (line);
create index hold_line_stock on hold_line (stock_id) where status = 'held';

-- The ledger: every change of a counter, by line. Within a stock row `place` is dense, and the sums
-- of its deltas are its counters.
create table stock_move (
    stock_id blob not null references stock (id),
    place integer not null,
    store_id blob not null references store (id),
    kind text not null,
    rid blob,
    line blob,
    quantity integer not null,
    on_hand_delta integer not null,
    held_delta integer not null,
    who text not null,
    why text not null,
    moved_at integer not null,
    primary key (stock_id, place)
) strict;
-- A line's units are closed once, whoever closes them.
create unique index stock_move_rid_line_stock_id_key on stock_move (rid, line, stock_id)
    where kind in ('confirmed', 'released', 'expired', 'moved');
create unique index stock_move_rid_line_stock_id_kind_key on stock_move (rid, line, stock_id, kind)
    where kind in ('reserved', 'taken', 'late', 'restocked');
create index stock_move_age on stock_move (moved_at);

-- What was there before the ledger.
insert into stock_move (stock_id, place, store_id, kind, quantity, on_hand_delta, held_delta, who,
    why, moved_at) select id, 1, store_id, 'stocked', on_hand, on_hand, held, '', 'carried over', 0
    from stock;
update stock set moves = 1;

-- Batches that wait for a worker: written in the transaction that answers 202.
create table work (
    id blob primary key,
    store_id blob not null references store (id),
    payload text not null,
    created_at integer not null,
    deliveries integer not null default 0,
    -- Until then it is on the queue, or somebody is at it.
    leased_until integer not null default 0,
    last_error text
) strict;
create index work_due on work (leased_until);

-- Batches that no worker could apply.
create table dead_letter (
    id blob primary key,
    store_id blob not null references store (id),
    payload text not null,
    deliveries integer not null,
    last_error text,
    created_at integer not null,
    died_at integer not null
) strict;

-- One refund an order, until it is settled.
create unique index refund_due_order_id_key on refund_due (order_id) where settled_at is null;
