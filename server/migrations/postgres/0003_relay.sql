-- Which relay publishes a store's events, and when it may try again (realtime, section 3). A row
-- comes with the first event that is not born published.
create table relay_state (
    store_id uuid primary key references store (id),
    -- The attempt under way, and until when nobody else may begin one.
    lease uuid,
    lease_until bigint not null default 0,
    -- Failures since the last success.
    attempts bigint not null default 0,
    next_attempt_at bigint not null default 0,
    last_error text
);
