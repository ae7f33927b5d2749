-- How far a sandbox's business time is ahead of real time. Other installations have no row.
CREATE TABLE "sandbox_clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "ahead_ms" BIGINT NOT NULL,

    CONSTRAINT "sandbox_clock_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sandbox_clock_one_row" CHECK ("id" = 1),
    CONSTRAINT "sandbox_clock_forward" CHECK ("ahead_ms" >= 0)
);
GRANT SELECT, INSERT, UPDATE ON sandbox_clock TO vitrine_system;
