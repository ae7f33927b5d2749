-- Rows whose window has ended are found by its end.
CREATE INDEX "rate_limits_expire_idx" ON "rate_limits"("expire");
