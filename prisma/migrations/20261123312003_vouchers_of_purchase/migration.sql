-- outside a transaction
CREATE INDEX CONCURRENTLY vouchers_of_purchase ON vouchers (purchase_intent_id) WHERE purchase_intent_id IS NOT NULL;
