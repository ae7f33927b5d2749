-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_in_locked ON email_claims (organization_id, id) WHERE state = 'LOCKED';
