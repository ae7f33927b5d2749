-- outside a transaction
CREATE UNIQUE INDEX CONCURRENTLY mint_requests_once_per_claim ON mint_requests (claim_id) WHERE is_live AND claim_id IS NOT NULL;
