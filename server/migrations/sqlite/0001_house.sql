-- Columns are integers of 64 bits, TEXT and ids, so that the same statements run on both
-- engines. An entity is kept as the JSON that events and snapshots carry (`doc`);
-- what statements select by stands beside it in columns written from the same value.
-- Times are epoch milliseconds.

create table store (
    id blob primary key,
    code text not null unique,
    version integer not null,
    doc text not null,
    -- The business day is a column, not a clock: snapshots and commands read it (realtime, section 2).
    business_day text not null,
    next_cut_at integer not null,
    next_number integer not null default 1
) strict;

-- One row per store hands out event numbers; its lock lasts until commit (realtime, section 1).
create table store_stream (
    store_id blob primary key references store (id),
    epoch integer not null,
    seq integer not null default 0
) strict;

create table outbox (
    store_id blob not null references store (id),
    seq integer not null,
    outbox_id blob not null unique,
    type text not null,
    payload text not null,
    created_at integer not null,
    published_at integer,
    dead integer not null default 0,
    primary key (store_id, seq)
) strict;
create index outbox_unpublished on outbox (store_id, seq) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;

create table staff (
    id blob primary key,
    store_id blob not null references store (id),
    login text not null,
    name text not null,
    role text not null,
    pin_hash text not null,
    failed_attempts integer not null default 0,
    blocked_until integer not null default 0,
    unique (store_id, login)
) strict;

create table session (
    id blob primary key,
    token_hash text not null unique,
    store_id blob not null references store (id),
    staff_id blob not null references staff (id),
    created_at integer not null,
    expires_at integer not null
) strict;
create index session_expiry on session (expires_at);

create table ticket (
    ticket_hash text primary key,
    store_id blob not null references store (id),
    session_id blob not null references session (id) on delete cascade,
    expires_at integer not null
) strict;
create index ticket_expiry on ticket (expires_at);

create table idempotency (
    actor blob not null,
    key text not null,
    fingerprint text not null,
    status integer not null,
    body text not null,
    watermark text,
    created_at integer not null,
    primary key (actor, key)
) strict;
create index idempotency_age on idempotency (created_at);

create table screen_ack (
    store_id blob not null references store (id),
    connection_id text not null,
    station_id blob,
    applied text not null,
    seen_at integer not null,
    primary key (store_id, connection_id)
) strict;

create table zone (
    id blob primary key,
    store_id blob not null references store (id),
    sort integer not null,
    doc text not null
) strict;

create table party (
    id blob primary key,
    store_id blob not null references store (id),
    closed_at integer
) strict;

create table dining_table (
    id blob primary key,
    store_id blob not null references store (id),
    code text not null unique,
    sort integer not null,
    party_id blob references party (id),
    version integer not null,
    doc text not null
) strict;
create index dining_table_store on dining_table (store_id, sort);
create index dining_table_party on dining_table (party_id) where party_id is not null;

create table category (
    id blob primary key,
    store_id blob not null references store (id),
    sort integer not null,
    doc text not null
) strict;

create table menu_item (
    id blob primary key,
    store_id blob not null references store (id),
    code text not null,
    sort integer not null,
    version integer not null,
    doc text not null,
    unique (store_id, code)
) strict;

create table stock (
    id blob primary key,
    store_id blob not null references store (id),
    version integer not null,
    on_hand integer not null,
    held integer not null default 0,
    doc text not null,
    constraint stock_never_negative check (held >= 0 and on_hand >= held)
) strict;
create index stock_store on stock (store_id);

create table guest_call (
    id blob primary key,
    store_id blob not null references store (id),
    table_id blob not null references dining_table (id),
    party_id blob not null references party (id),
    state text not null,
    requested_at integer not null,
    version integer not null,
    doc text not null
) strict;
create index guest_call_open on guest_call (store_id, requested_at) where state <> 'done';
create index guest_call_party on guest_call (party_id);

-- `orders`, because `order` is a word of SQL. The counts decide which snapshots hold the order;
-- `domain::snapshot` decides the same from the payload.
create table orders (
    id blob primary key,
    store_id blob not null references store (id),
    business_day text not null,
    number integer not null,
    party_id blob references party (id),
    checkout_stage text not null,
    payment_due integer not null,
    placed_at integer not null,
    confirmed_at integer,
    closed_at integer,
    tender text,
    total integer not null,
    -- Fired, neither voided nor served.
    unserved_lines integer not null,
    -- Cooked, neither voided nor served.
    cooked_lines integer not null,
    -- Voided after firing and not yet acknowledged by the kitchen.
    open_voids integer not null,
    -- When its last fired line was served: the recall list is by this.
    left_board_at integer,
    version integer not null,
    doc text not null,
    unique (store_id, business_day, number)
) strict;
create index orders_open on orders (store_id, placed_at) where closed_at is null;
create index orders_party on orders (party_id) where party_id is not null;
create index orders_left_board on orders (store_id, left_board_at) where left_board_at is not null;
create index orders_day on orders (store_id, business_day);

-- Money taken for what is gone, until it is given back.
create table refund_due (
    id blob primary key,
    store_id blob not null references store (id),
    order_id blob not null references orders (id),
    amount integer not null,
    reason text not null,
    created_at integer not null,
    settled_at integer
) strict;
create index refund_due_open on refund_due (store_id, created_at) where settled_at is null;
