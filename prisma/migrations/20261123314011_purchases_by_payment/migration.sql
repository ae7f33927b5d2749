-- Purchases that were paid in the part of a day that is left out of a period.
CREATE INDEX CONCURRENTLY purchase_intents_by_payment ON purchase_intents (organization_id, confirmed_at) WHERE confirmed_at IS NOT NULL;
