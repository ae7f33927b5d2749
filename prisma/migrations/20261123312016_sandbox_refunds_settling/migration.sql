-- outside a transaction
CREATE INDEX CONCURRENTLY sandbox_refunds_settling ON sandbox_refunds (settles_at) WHERE settles_at IS NOT NULL;
