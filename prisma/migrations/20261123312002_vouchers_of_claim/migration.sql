-- outside a transaction
CREATE INDEX CONCURRENTLY vouchers_of_claim ON vouchers (claim_id) WHERE claim_id IS NOT NULL;
