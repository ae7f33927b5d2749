-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_of_item ON email_claims (organization_id, item_id, id);
