-- outside a transaction
CREATE UNIQUE INDEX CONCURRENTLY mint_requests_once_per_purchase_item ON mint_requests (purchase_intent_id, item_id) WHERE is_live AND purchase_intent_id IS NOT NULL;
