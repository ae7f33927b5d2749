-- Rows whose window has ended are found by its end.
-- outside a transaction
CREATE INDEX CONCURRENTLY "rate_limits_expire_idx" ON "rate_limits"("expire");
