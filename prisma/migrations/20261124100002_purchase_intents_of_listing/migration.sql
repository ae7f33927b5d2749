-- outside a transaction
CREATE INDEX CONCURRENTLY purchase_intents_of_listing ON purchase_intents (organization_id, listing_id, id);
