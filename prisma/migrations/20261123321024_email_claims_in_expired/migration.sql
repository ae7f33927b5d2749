-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_in_expired ON email_claims (organization_id, id) WHERE state = 'EXPIRED';
