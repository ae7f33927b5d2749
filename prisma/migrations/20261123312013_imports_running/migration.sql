-- outside a transaction
CREATE INDEX CONCURRENTLY imports_running_since ON imports (started_at) WHERE state = 'RUNNING';
