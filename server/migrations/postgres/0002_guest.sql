-- A phone at a table. Its token is kept as a hash, and dies when its party is cleared.
create table guest_token (
    token_hash text collate "C" primary key,
    store_id uuid not null references store (id),
    -- Follows the guests: to the party they are joined into, or that their table parts into.
    party_id uuid not null references party (id),
    -- Whose code was scanned.
    table_id uuid not null references dining_table (id),
    created_at bigint not null
);
create index guest_token_party on guest_token (party_id, created_at);

create table guest_ticket (
    ticket_hash text primary key,
    token_hash text collate "C" not null references guest_token (token_hash) on delete cascade,
    expires_at bigint not null
);
create index guest_ticket_expiry on guest_ticket (expires_at);
create index guest_ticket_token on guest_ticket (token_hash);

-- When a party last called for something: the same again is refused for a while.
create table guest_press (
    party_id uuid not null references party (id),
    reason text not null,
    pressed_at bigint not null,
    primary key (party_id, reason)
);
create index guest_press_age on guest_press (pressed_at);
