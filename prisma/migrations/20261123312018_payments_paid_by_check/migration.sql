-- outside a transaction
CREATE INDEX CONCURRENTLY payments_paid_by_check ON payments (checked_at NULLS FIRST) WHERE state IN ('SUCCEEDED', 'REFUNDING', 'DISPUTED');
