-- outside a transaction
CREATE INDEX CONCURRENTLY listings_ending ON listings (ends_at) WHERE status IN ('SCHEDULED', 'ACTIVE', 'PAUSED') AND ends_at IS NOT NULL;
