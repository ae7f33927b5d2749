-- Background jobs, as due rows. Processes of the release before go on with the schema pgboss; what waits there is moved here by this release's workers
-- (lib/platform/jobs/take-old-jobs.ts). A later release drops that schema.
CREATE TABLE jobs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  key text,
  payload jsonb NOT NULL,
  request_id text,
  tries integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  lease uuid,
  taken_at timestamptz,
  failed_at timestamptz,
  last_error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (lease IS NULL OR (taken_at IS NOT NULL AND failed_at IS NULL))
);
-- Of each name and key one waits.
CREATE UNIQUE INDEX jobs_waiting ON jobs (name, key) WHERE taken_at IS NULL;
CREATE INDEX jobs_due ON jobs (name, due_at, id) WHERE failed_at IS NULL;
CREATE INDEX jobs_failed ON jobs (failed_at) WHERE failed_at IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO vitrine_system;

-- Requests add jobs by this alone, and read none. A job that waits already is locked until the transaction ends, so that nobody takes it before its new cause
-- can be seen.
CREATE FUNCTION add_jobs(kind text, request text, added jsonb) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    INSERT INTO public.jobs (name, key, payload, request_id, due_at)
    SELECT DISTINCT ON (a.value ->> 'key', CASE WHEN a.value ->> 'key' IS NULL THEN a.place END)
      kind, a.value ->> 'key', a.value -> 'payload', request, coalesce((a.value ->> 'due')::timestamptz, now())
    FROM jsonb_array_elements(added) WITH ORDINALITY AS a (value, place)
    ORDER BY a.value ->> 'key', CASE WHEN a.value ->> 'key' IS NULL THEN a.place END, a.place
    ON CONFLICT (name, key) WHERE taken_at IS NULL DO UPDATE SET due_at = least(jobs.due_at, EXCLUDED.due_at)
  $$;
REVOKE ALL ON FUNCTION add_jobs(text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_jobs(text, text, jsonb) TO vitrine_app, vitrine_system;

-- Processes of release 0.1.0 need these rights in its schema, which gave them more than a login may have.
DO $$
BEGIN
  IF to_regnamespace('pgboss') IS NOT NULL THEN
    REVOKE CREATE ON SCHEMA pgboss FROM vitrine_system;
    REVOKE ALL ON ALL TABLES IN SCHEMA pgboss FROM vitrine_system;
    GRANT USAGE ON SCHEMA pgboss TO vitrine_system, vitrine_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO vitrine_system;
    GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA pgboss TO vitrine_app;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO vitrine_system, vitrine_app;
  END IF;
END $$;
