-- outside a transaction
CREATE INDEX CONCURRENTLY escrows_of_mailbox ON escrows (organization_id, mailbox, created_at);
