-- The database transaction that wrote an event. Listeners read events by it: once every transaction up to a number has ended, no event with a
-- lower one can still appear (docs/decisions/0035). Earlier events have none.
ALTER TABLE events ADD COLUMN position bigint;
ALTER TABLE events ALTER COLUMN position SET DEFAULT (pg_current_xact_id()::text::bigint);
