-- The same as store_answer, for the requests of a batch in one statement.
CREATE FUNCTION store_answers(of_scopes text[], of_keys text[], of_leases uuid[], given_statuses integer[], given_answers bytea[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE stored integer;
BEGIN
  UPDATE idempotency_records i SET status = given.status, answer = given.answer
  FROM unnest(of_scopes, of_keys, of_leases, given_statuses, given_answers) AS given (scope, key, lease, status, answer)
  WHERE i.scope = given.scope AND i.key = given.key AND i.lease_id = given.lease;
  GET DIAGNOSTICS stored = ROW_COUNT;
  IF stored <> cardinality(of_keys) THEN RAISE EXCEPTION 'key_taken_over' USING ERRCODE = 'VT008'; END IF;
END $$;
