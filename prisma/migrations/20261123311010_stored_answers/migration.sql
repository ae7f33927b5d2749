-- Stores the answer of the request that has an Idempotency-Key. It fails when another request has taken the key over, so that it can be
-- sent together with the end of the transaction that it belongs to.
CREATE FUNCTION store_answer(of_scope text, of_key text, of_lease uuid, given_status integer, given_answer bytea) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  UPDATE idempotency_records SET status = given_status, answer = given_answer
  WHERE scope = of_scope AND key = of_key AND lease_id = of_lease;
  IF NOT FOUND THEN RAISE EXCEPTION 'key_taken_over' USING ERRCODE = 'VT008'; END IF;
END $$;
