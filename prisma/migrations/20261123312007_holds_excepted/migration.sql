-- outside a transaction
CREATE INDEX CONCURRENTLY holds_excepted ON holds (id) WHERE state = 'EXCEPTION';
