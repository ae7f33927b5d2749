-- A snapshot adds up the moves of its collection in batches (lib/data/snapshots/add-moves.ts): those up to the block taken_to are added.
ALTER TABLE "snapshots" ADD COLUMN "taken_to" BIGINT;
ALTER TABLE "snapshots" ADD COLUMN "moves_done" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "snapshots" ADD COLUMN "moves_total" INTEGER;
ALTER TABLE "snapshots" ADD COLUMN "holder_count" INTEGER;
UPDATE snapshots s SET holder_count = (SELECT count(*) FROM snapshot_holders h WHERE h.snapshot_id = s.id) WHERE ready_at IS NOT NULL;
-- safe: more digits fit, and no row is written anew.
ALTER TABLE "snapshot_holders" ALTER COLUMN "quantity" TYPE NUMERIC(100, 0);
