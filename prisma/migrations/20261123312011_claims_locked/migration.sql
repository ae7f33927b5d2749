-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_locked ON email_claims (updated_at) WHERE state = 'LOCKED' AND purchase_intent_id IS NOT NULL;
