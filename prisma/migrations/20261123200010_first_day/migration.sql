-- One-time links by which an installation without an organization is set up: each start of a web process adds one. Whoever issues or redeems one
-- locks the table, which waits for organizations that are being made (void_setup_links).
CREATE TABLE "setup_links" (
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setup_links_pkey" PRIMARY KEY ("token_hash")
);
GRANT SELECT, INSERT, UPDATE, DELETE ON setup_links TO vitrine_system;

CREATE FUNCTION void_setup_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM setup_links;
  RETURN NULL;
END $$;
CREATE TRIGGER void_setup_links AFTER INSERT ON organizations FOR EACH STATEMENT EXECUTE FUNCTION void_setup_links();

-- `newcomer_since`: it signed up by itself and no operator has approved it yet. `first_steps_hidden_at`: the dashboard's first steps were dismissed.
ALTER TABLE "organizations"
  ADD COLUMN "newcomer_since" TIMESTAMPTZ(3),
  ADD COLUMN "first_steps_hidden_at" TIMESTAMPTZ(3);

-- Who belongs to the organization can't approve it.
CREATE FUNCTION refuse_own_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_has_role(current_user, 'vitrine_system', 'USAGE') THEN
    RAISE EXCEPTION 'approval_needed' USING ERRCODE = 'VT006';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_own_approval BEFORE UPDATE ON organizations FOR EACH ROW
  WHEN (OLD.newcomer_since IS DISTINCT FROM NEW.newcomer_since) EXECUTE FUNCTION refuse_own_approval();

-- Until then it has nothing that is LIVE. Whatever else is LIVE belongs to one of these rows.
CREATE FUNCTION refuse_live_newcomer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM organizations WHERE id = NEW.organization_id AND newcomer_since IS NOT NULL) THEN
    RAISE EXCEPTION 'approval_needed' USING ERRCODE = 'VT006';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_live_newcomer BEFORE INSERT OR UPDATE ON collections FOR EACH ROW
  WHEN (NEW.mode = 'LIVE') EXECUTE FUNCTION refuse_live_newcomer();
CREATE TRIGGER refuse_live_newcomer BEFORE INSERT OR UPDATE ON payment_integrations FOR EACH ROW
  WHEN (NEW.mode = 'LIVE') EXECUTE FUNCTION refuse_live_newcomer();

-- Sign-in links mailed to people who are no members, and the organizations that people made by themselves, for their limits. Writers lock the table.
CREATE TABLE "sign_ups" (
    "id" UUID NOT NULL,
    "mailbox" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "organization_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_ups_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "sign_ups_client_created_at_idx" ON "sign_ups"("client", "created_at");
CREATE INDEX "sign_ups_mailbox_idx" ON "sign_ups"("mailbox");
ALTER TABLE "sign_ups" ADD CONSTRAINT "sign_ups_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_ups TO vitrine_system;

-- Whom an operator keeps out.
ALTER TABLE "users" ADD COLUMN "disabled_at" TIMESTAMPTZ(3);

-- Its one row is there while the installation is in maintenance.
CREATE TABLE "maintenance" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "maintenance_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "maintenance_one_row" CHECK ("id" = 1)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON maintenance TO vitrine_system;
