-- outside a transaction
CREATE INDEX CONCURRENTLY payments_paid_lately ON payments (created_at, checked_at) WHERE state IN ('SUCCEEDED', 'REFUNDING', 'DISPUTED');
