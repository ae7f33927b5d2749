-- outside a transaction
CREATE INDEX CONCURRENTLY mint_requests_of_claim ON mint_requests (claim_id) WHERE claim_id IS NOT NULL;
