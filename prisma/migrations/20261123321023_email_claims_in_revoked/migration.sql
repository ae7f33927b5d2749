-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_in_revoked ON email_claims (organization_id, id) WHERE state = 'REVOKED';
