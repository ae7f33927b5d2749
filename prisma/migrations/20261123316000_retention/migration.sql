-- Old rows are found by these, so that a timer with nothing to do costs one look into an index for each table.
CREATE INDEX pins_expires_at_idx ON pins (expires_at);
CREATE INDEX used_challenges_expires_at_idx ON used_challenges (expires_at);
CREATE INDEX mail_events_created_at_idx ON mail_events (created_at);
CREATE INDEX card_events_processed_at_idx ON card_events (processed_at);
CREATE INDEX row_tries_next_try_at_idx ON row_tries (next_try_at);
CREATE INDEX alarms_resolved_at_idx ON alarms (resolved_at);
CREATE INDEX alarm_notices_created_at_idx ON alarm_notices (created_at);
CREATE INDEX abuse_reports_closed_at_idx ON abuse_reports (closed_at);
CREATE INDEX sandbox_events_created_at_idx ON sandbox_events (created_at);
CREATE INDEX sandbox_payment_intents_cancelled_idx ON sandbox_payment_intents (created_at) WHERE status = 'canceled';
CREATE INDEX sign_ups_mailed_idx ON sign_ups (created_at) WHERE organization_id IS NULL;
CREATE INDEX outbox_messages_bounded_idx ON outbox_messages (created_at)
  WHERE (claim_id IS NULL OR template_type = 'CLAIM_PINCODE') AND state IN ('SENT', 'FAILED', 'DISCARDED');
CREATE INDEX events_forgotten_idx ON events (created_at)
  WHERE type NOT IN ('item.minted', 'item.transferred', 'item.burned', 'claim.delivered', 'collection.deployed', 'purchase.confirmed', 'purchase.fulfilled', 'purchase.refunded');
CREATE INDEX events_emptied_idx ON events (created_at)
  WHERE type IN ('item.minted', 'item.transferred', 'item.burned', 'claim.delivered', 'collection.deployed', 'purchase.confirmed', 'purchase.fulfilled', 'purchase.refunded') AND data <> '{}';

ALTER TABLE imports ADD COLUMN lines_deleted_at timestamptz(3);
CREATE INDEX imports_lines_idx ON imports (ended_at) WHERE lines_deleted_at IS NULL;

-- Rows are locked before they are deleted.
GRANT UPDATE ON used_challenges TO vitrine_system;
