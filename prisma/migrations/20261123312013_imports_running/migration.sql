-- outside a transaction
CREATE INDEX CONCURRENTLY imports_running ON imports (started_at) WHERE state = 'RUNNING';
