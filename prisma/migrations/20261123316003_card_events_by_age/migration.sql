-- outside a transaction
CREATE INDEX CONCURRENTLY card_events_processed_at_idx ON card_events (processed_at);
