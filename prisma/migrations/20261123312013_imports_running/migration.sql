-- outside a transaction
CREATE INDEX CONCURRENTLY imports_running_by_start ON imports (started_at) WHERE state = 'RUNNING';
