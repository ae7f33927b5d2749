-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_redeemed ON email_claims (organization_id, id) WHERE state IN ('REDEEMED', 'CLAIMED');
