-- The audit entries of a period that are out of order, by their index: the planner would expect a third of all entries and read all of them.
CREATE FUNCTION entries_out_of_order(since timestamptz, until timestamptz) RETURNS SETOF audit_entries
  LANGUAGE sql STABLE ROWS 10
  SET search_path = pg_catalog, public SET plan_cache_mode = force_custom_plan SET enable_seqscan = off
  AS $$
    SELECT * FROM public.audit_entries
    WHERE public.is_out_of_order(id, created_at) AND organization_id = public.current_organization()
      AND (since IS NULL OR created_at >= since) AND (until IS NULL OR created_at < until)
  $$;
REVOKE ALL ON FUNCTION entries_out_of_order(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION entries_out_of_order(timestamptz, timestamptz) TO vitrine_app;
