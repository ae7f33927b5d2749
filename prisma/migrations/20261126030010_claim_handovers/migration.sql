-- The code by which a claim is opened in another browser: the newest of each claim, good for five minutes, one link and one use.
CREATE TABLE claim_handovers (
  claim_id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  -- Of the link that it was made for.
  generation integer NOT NULL,
  hash bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT claim_handovers_organization_id_claim_id_key UNIQUE (organization_id, claim_id),
  CONSTRAINT claim_handovers_hash_key UNIQUE (hash)
);
CREATE INDEX claim_handovers_expires_at_idx ON claim_handovers (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON claim_handovers TO vitrine_system, vitrine_app;
ALTER TABLE claim_handovers ENABLE ROW LEVEL SECURITY;
ALTER TABLE claim_handovers FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON claim_handovers TO vitrine_app
  USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON claim_handovers TO vitrine_system USING (true) WITH CHECK (true);
