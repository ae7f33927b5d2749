-- Old rows are found by these and by those of the next migrations, so that a timer with nothing to do costs one look into an index for each table.
CREATE INDEX used_challenges_expires_at_idx ON used_challenges (expires_at);
CREATE INDEX row_tries_next_try_at_idx ON row_tries (next_try_at);
CREATE INDEX alarms_resolved_at_idx ON alarms (resolved_at);
CREATE INDEX alarm_notices_created_at_idx ON alarm_notices (created_at);
CREATE INDEX abuse_reports_closed_at_idx ON abuse_reports (closed_at);
CREATE INDEX sandbox_events_created_at_idx ON sandbox_events (created_at);
CREATE INDEX sandbox_payment_intents_cancelled_idx ON sandbox_payment_intents (created_at) WHERE status = 'canceled';
CREATE INDEX sign_ups_mailed_idx ON sign_ups (created_at) WHERE organization_id IS NULL;

ALTER TABLE imports ADD COLUMN lines_deleted_at timestamptz(3);
CREATE INDEX imports_lines_idx ON imports (ended_at) WHERE lines_deleted_at IS NULL;

-- Rows are locked before they are deleted.
GRANT UPDATE ON used_challenges TO vitrine_system;
