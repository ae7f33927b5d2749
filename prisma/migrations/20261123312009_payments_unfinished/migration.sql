-- outside a transaction
CREATE INDEX CONCURRENTLY payments_unfinished ON payments (checked_at) WHERE state IN ('CREATING', 'OPEN', 'CANCELLING');
