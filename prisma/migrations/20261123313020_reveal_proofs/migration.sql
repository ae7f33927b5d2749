-- The proof of a reveal names every item and its contents. It has a table of its own, so that a collection's row stays short; the seed, which
-- every view of the collection shows, has a column.
ALTER TABLE collections ADD COLUMN revealed_seed text;
CREATE TABLE "reveal_proofs" (
    "collection_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "proof" JSONB NOT NULL,

    CONSTRAINT "reveal_proofs_pkey" PRIMARY KEY ("collection_id")
);
ALTER TABLE "reveal_proofs" ADD CONSTRAINT "reveal_proofs_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE UNIQUE INDEX "reveal_proofs_organization_id_collection_id_key" ON "reveal_proofs"("organization_id", "collection_id");

GRANT SELECT, INSERT, UPDATE, DELETE ON reveal_proofs TO vitrine_system;
GRANT SELECT, INSERT ON reveal_proofs TO vitrine_app;
GRANT SELECT ON reveal_proofs TO vitrine_public;
ALTER TABLE reveal_proofs ENABLE ROW LEVEL SECURITY;
ALTER TABLE reveal_proofs FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON reveal_proofs TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON reveal_proofs TO vitrine_system USING (true) WITH CHECK (true);
CREATE POLICY published ON reveal_proofs FOR SELECT TO vitrine_public
  USING (EXISTS (SELECT 1 FROM collections c WHERE c.id = collection_id AND c.revealed_at IS NOT NULL));

-- Processes of the release before write the proof to its column.
CREATE FUNCTION move_reveal_proof() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_WHEN = 'BEFORE' THEN
    NEW.revealed_seed := NEW.reveal_proof->>'seed';
  ELSE
    INSERT INTO reveal_proofs (collection_id, organization_id, proof) VALUES (NEW.id, NEW.organization_id, NEW.reveal_proof - 'seed')
      ON CONFLICT (collection_id) DO NOTHING;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER move_reveal_seed BEFORE INSERT OR UPDATE OF reveal_proof ON collections FOR EACH ROW WHEN (NEW.reveal_proof IS NOT NULL)
  EXECUTE FUNCTION move_reveal_proof();
CREATE TRIGGER move_reveal_proof AFTER INSERT OR UPDATE OF reveal_proof ON collections FOR EACH ROW WHEN (NEW.reveal_proof IS NOT NULL)
  EXECUTE FUNCTION move_reveal_proof();
