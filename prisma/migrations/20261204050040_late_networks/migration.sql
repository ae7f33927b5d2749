-- The networks whose index is late, for whoever lists what an address owns or opens what comes with an item. The alarms themselves stay hidden.
CREATE FUNCTION late_networks() RETURNS SETOF integer
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT a.subject::integer FROM public.alarms a WHERE a.kind = 'indexing_late' AND a.resolved_at IS NULL $$;
REVOKE ALL ON FUNCTION late_networks() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION late_networks() TO vitrine_public, vitrine_app;
