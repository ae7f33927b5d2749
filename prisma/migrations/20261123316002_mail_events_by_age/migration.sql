-- outside a transaction
CREATE INDEX CONCURRENTLY mail_events_created_at_idx ON mail_events (created_at);
