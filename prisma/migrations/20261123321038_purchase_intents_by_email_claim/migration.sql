-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_by_email_claim ON purchase_intents (organization_id, id) WHERE provider = 'EMAIL_CLAIM';
