-- Nearly every index begins with the organization. Before a table was analyzed for the first time the planner believes that any of them finds one
-- row, and a connection keeps the plan that it made then: thousands of rows later a buyer's purchases, or the row of a foreign key, were still
-- looked up by the organization alone. Told that all rows may be of one organization, it takes the index that says more. ANALYZE replaces this
-- by what is there. Tables that have rows are left alone: what ANALYZE found there is better, and row-level security hides from their owner whether
-- it found anything (pg_stats). Before PostgreSQL 18 statistics can't be set; there the first ANALYZE, about a minute later, has to do.
DO $$
BEGIN
  IF to_regproc('pg_restore_attribute_stats') IS NULL THEN RETURN; END IF;
  PERFORM pg_restore_attribute_stats('schemaname', n.nspname::text, 'relname', c.relname::text, 'attname', a.attname::text, 'inherited', false,
      'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND a.attname = 'organization_id' AND NOT a.attisdropped
      AND c.reltuples <= 0;
END $$;
