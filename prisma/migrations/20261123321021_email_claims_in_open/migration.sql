-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_in_open ON email_claims (organization_id, id) WHERE state = 'OPEN';
