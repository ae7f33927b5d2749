-- A connection keeps the plan of this function. One that was made while tables were small read all holds for each purchase, until the table was analyzed.
ALTER FUNCTION sale_facts(uuid, boolean)
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off;
