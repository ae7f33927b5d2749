-- outside a transaction
-- Mail of the installation itself has an owner of zeros. CASE and not coalesce, which row-level security keeps from giving the order of the rows.
CREATE INDEX CONCURRENTLY outbox_messages_due
  ON outbox_messages (urgent, (CASE WHEN organization_id IS NULL THEN '00000000-0000-0000-0000-000000000000' ELSE organization_id END), next_at, id)
  WHERE state = 'PENDING' AND next_at IS NOT NULL;
