-- Of a delayed reveal: SHA-256 over what the locked items hold, in token order. Public before the reveal, and final from the first promise on.
ALTER TABLE "collections" ADD COLUMN "reveal_provenance" TEXT;

-- When a token of another's contract is to be asked what it says of itself; null: it was, or it is one of ours.
ALTER TABLE "items" ADD COLUMN "metadata_due_at" TIMESTAMPTZ(3);
ALTER TABLE "items" ADD COLUMN "metadata_tries" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX items_metadata_due ON items (metadata_due_at) WHERE metadata_due_at IS NOT NULL;

-- Delivered events of the built-in card provider are forgotten by age.
CREATE INDEX sandbox_events_delivered ON sandbox_events (delivered_at) WHERE delivered_at IS NOT NULL;
