-- outside a transaction
CREATE INDEX CONCURRENTLY payments_unfinished ON payments (checked_at NULLS FIRST, id) WHERE state IN ('CREATING', 'OPEN', 'CANCELLING');
