-- Which relay publishes a store's events, and when it may try again (realtime, section 3). A row
-- comes with the first event that is not born published.
create table relay_state (
    store_id blob primary key references store (id),
    -- The attempt under way, and until when nobody else may begin one.
    lease blob,
    lease_until integer not null default 0,
    -- Failures since the last success.
    attempts integer not null default 0,
    next_attempt_at integer not null default 0,
    last_error text
) strict;
