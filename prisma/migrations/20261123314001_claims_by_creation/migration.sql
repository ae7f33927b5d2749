-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_by_creation ON email_claims (organization_id, created_at);
