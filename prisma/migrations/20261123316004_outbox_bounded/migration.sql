-- outside a transaction
CREATE INDEX CONCURRENTLY outbox_messages_bounded_idx ON outbox_messages (created_at)
  WHERE (claim_id IS NULL OR template_type = 'CLAIM_PINCODE') AND state IN ('SENT', 'FAILED', 'DISCARDED');
