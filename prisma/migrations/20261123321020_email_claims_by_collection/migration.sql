-- outside a transaction
CREATE INDEX CONCURRENTLY email_claims_by_collection ON email_claims (organization_id, collection_id, id);
