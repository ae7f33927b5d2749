-- outside a transaction
CREATE INDEX CONCURRENTLY pins_expires_at_idx ON pins (expires_at);
