-- How far the host's clock of each process is ahead of PostgreSQL's, as it was last measured. Times of rows are PostgreSQL's in any case.
CREATE TABLE "process_clocks" (
    "id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "ahead_ms" BIGINT NOT NULL,
    "measured_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "process_clocks_pkey" PRIMARY KEY ("id")
);

GRANT SELECT, INSERT, UPDATE, DELETE ON process_clocks TO vitrine_system;
