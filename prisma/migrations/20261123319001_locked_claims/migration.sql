-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_locked_paid ON email_claims (id) WHERE state = 'LOCKED' AND purchase_intent_id IS NOT NULL;
