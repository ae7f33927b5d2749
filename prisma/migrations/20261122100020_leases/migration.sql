-- Tasks that only one worker does at a time, and when each worker was last seen. All times are PostgreSQL's own.
-- CreateTable
CREATE TABLE "leases" (
    "task" TEXT NOT NULL,
    "holder" UUID NOT NULL,
    "token" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("task")
);

-- CreateTable
CREATE TABLE "workers" (
    "id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- The token is part of a key, so changing it conflicts with FOR KEY SHARE, and changing expires_at doesn't: a take-over waits for the
-- holder's transactions, and the holder's own renewals wait for nothing.
-- CreateIndex
CREATE UNIQUE INDEX "leases_task_token_key" ON "leases"("task", "token");

GRANT SELECT, INSERT, UPDATE, DELETE ON leases, workers TO vitrine_system;
GRANT SELECT ON workers TO vitrine_public;

-- Fails unless the lease is still held with this token, and keeps it from being taken over until the transaction ends. It runs with the
-- rights of vitrine_system, because vitrine_app may not touch the table.
CREATE FUNCTION assert_lease(held_task text, held_by uuid, held_token bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  PERFORM 1 FROM public.leases WHERE task = held_task AND holder = held_by AND token = held_token FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'lease_lost' USING ERRCODE = 'VT002'; END IF;
END $$;
GRANT CREATE ON SCHEMA public TO vitrine_system;
ALTER FUNCTION assert_lease(text, uuid, bigint) OWNER TO vitrine_system;
REVOKE CREATE ON SCHEMA public FROM vitrine_system;
REVOKE ALL ON FUNCTION assert_lease(text, uuid, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assert_lease(text, uuid, bigint) TO vitrine_app, vitrine_system;
