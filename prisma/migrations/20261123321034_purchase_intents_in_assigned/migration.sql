-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_in_assigned ON purchase_intents (organization_id, id) WHERE fulfillment_status = 'ASSIGNED';
