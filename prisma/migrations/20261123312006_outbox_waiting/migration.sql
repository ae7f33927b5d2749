-- outside a transaction
CREATE INDEX CONCURRENTLY outbox_messages_waiting ON outbox_messages (template_type, created_at) WHERE state = 'PENDING';
