-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_by_beta_free_mint ON purchase_intents (organization_id, id) WHERE provider = 'BETA_FREE_MINT';
