-- The same tables as on SQLite, number for number and name for name (README, "One SQL text"). An
-- entity is kept as the JSON that events and snapshots carry (`doc`); what statements select by
-- stands beside it in columns written from the same value. Times are epoch milliseconds. Text that
-- statements sort by is compared byte for byte (`collate "C"`), whatever the database's language.

create table store (
    id uuid primary key,
    code text collate "C" not null unique,
    version bigint not null,
    doc text not null,
    -- The business day is a column, not a clock: snapshots and commands read it (realtime, section 2).
    business_day text not null,
    next_cut_at bigint not null,
    next_number bigint not null default 1
);

-- One row per store hands out event numbers; its lock lasts until commit (realtime, section 1).
create table store_stream (
    store_id uuid primary key references store (id),
    epoch bigint not null,
    seq bigint not null default 0
);

create table outbox (
    store_id uuid not null references store (id),
    seq bigint not null,
    outbox_id uuid not null unique,
    type text not null,
    payload text not null,
    created_at bigint not null,
    published_at bigint,
    dead boolean not null default false,
    primary key (store_id, seq)
);
create index outbox_unpublished on outbox (store_id, seq) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;

create table staff (
    id uuid primary key,
    store_id uuid not null references store (id),
    login text collate "C" not null,
    name text collate "C" not null,
    role text not null,
    pin_hash text not null,
    failed_attempts bigint not null default 0,
    blocked_until bigint not null default 0,
    unique (store_id, login)
);

create table session (
    id uuid primary key,
    token_hash text not null unique,
    store_id uuid not null references store (id),
    staff_id uuid not null references staff (id),
    created_at bigint not null,
    expires_at bigint not null
);
create index session_expiry on session (expires_at);

create table ticket (
    ticket_hash text primary key,
    store_id uuid not null references store (id),
    session_id uuid not null references session (id) on delete cascade,
    expires_at bigint not null
);
create index ticket_expiry on ticket (expires_at);

create table idempotency (
    actor uuid not null,
    key text not null,
    fingerprint text not null,
    status bigint not null,
    body text not null,
    watermark text,
    created_at bigint not null,
    primary key (actor, key)
);
create index idempotency_age on idempotency (created_at);

create table screen_ack (
    store_id uuid not null references store (id),
    connection_id text collate "C" not null,
    station_id uuid,
    applied text not null,
    seen_at bigint not null,
    primary key (store_id, connection_id)
);

create table zone (
    id uuid primary key,
    store_id uuid not null references store (id),
    sort bigint not null,
    doc text not null
);

create table party (
    id uuid primary key,
    store_id uuid not null references store (id),
    closed_at bigint
);

create table dining_table (
    id uuid primary key,
    store_id uuid not null references store (id),
    code text not null unique,
    sort bigint not null,
    party_id uuid references party (id),
    version bigint not null,
    doc text not null
);
create index dining_table_store on dining_table (store_id, sort);
create index dining_table_party on dining_table (party_id) where party_id is not null;

create table category (
    id uuid primary key,
    store_id uuid not null references store (id),
    sort bigint not null,
    doc text not null
);

create table menu_item (
    id uuid primary key,
    store_id uuid not null references store (id),
    code text not null,
    sort bigint not null,
    version bigint not null,
    doc text not null,
    unique (store_id, code)
);

create table stock (
    id uuid primary key,
    store_id uuid not null references store (id),
    version bigint not null,
    on_hand bigint not null,
    held bigint not null default 0,
    doc text not null,
    constraint stock_never_negative check (held >= 0 and on_hand >= held)
);
create index stock_store on stock (store_id);

create table guest_call (
    id uuid primary key,
    store_id uuid not null references store (id),
    table_id uuid not null references dining_table (id),
    party_id uuid not null references party (id),
    state text not null,
    requested_at bigint not null,
    version bigint not null,
    doc text not null
);
create index guest_call_open on guest_call (store_id, requested_at) where state <> 'done';
create index guest_call_party on guest_call (party_id);

-- `orders`, because `order` is a word of SQL. The counts decide which snapshots hold the order;
-- `domain::snapshot` decides the same from the payload.
create table orders (
    id uuid primary key,
    store_id uuid not null references store (id),
    business_day text not null,
    number bigint not null,
    party_id uuid references party (id),
    checkout_stage text collate "C" not null,
    payment_due boolean not null,
    placed_at bigint not null,
    confirmed_at bigint,
    closed_at bigint,
    tender text collate "C",
    total bigint not null,
    -- Fired, neither voided nor served.
    unserved_lines bigint not null,
    -- Cooked, neither voided nor served.
    cooked_lines bigint not null,
    -- Voided after firing and not yet acknowledged by the kitchen.
    open_voids bigint not null,
    -- When its last fired line was served: the recall list is by this.
    left_board_at bigint,
    version bigint not null,
    doc text not null,
    unique (store_id, business_day, number)
);
create index orders_open on orders (store_id, placed_at) where closed_at is null;
create index orders_party on orders (party_id) where party_id is not null;
create index orders_left_board on orders (store_id, left_board_at) where left_board_at is not null;
create index orders_day on orders (store_id, business_day);

-- Money taken for what is gone, until it is given back.
create table refund_due (
    id uuid primary key,
    store_id uuid not null references store (id),
    order_id uuid not null references orders (id),
    amount bigint not null,
    reason text not null,
    created_at bigint not null,
    settled_at bigint
);
create index refund_due_open on refund_due (store_id, created_at) where settled_at is null;
