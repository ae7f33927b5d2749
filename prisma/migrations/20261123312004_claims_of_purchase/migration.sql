-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_of_purchase ON email_claims (purchase_intent_id) WHERE purchase_intent_id IS NOT NULL;
