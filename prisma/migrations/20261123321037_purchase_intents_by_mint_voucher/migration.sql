-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_by_mint_voucher ON purchase_intents (organization_id, id) WHERE provider = 'MINT_VOUCHER';
