-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_excepted ON purchase_intents (updated_at) WHERE fulfillment_status = 'EXCEPTION';
