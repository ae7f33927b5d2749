-- What the operator suspended: an organization, or (with collection_id) one of its collections. While a suspension is open, nothing of it is
-- promised, sold or minted; `is_suspended` decides, and the triggers below ask it, so that no statement goes round it.
CREATE TABLE "suspensions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "suspensions_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "suspensions_organization_id_id_key" ON "suspensions"("organization_id", "id");
CREATE UNIQUE INDEX "suspensions_one_open" ON "suspensions"("organization_id", "collection_id") NULLS NOT DISTINCT WHERE ended_at IS NULL;
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_organization_id_collection_id_fkey" FOREIGN KEY ("organization_id", "collection_id") REFERENCES "collections"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
GRANT SELECT, INSERT, UPDATE, DELETE ON suspensions TO vitrine_system;
GRANT SELECT ON suspensions TO vitrine_app;
-- Not the reason.
GRANT SELECT (organization_id, collection_id, ended_at) ON suspensions TO vitrine_public;
ALTER TABLE suspensions ENABLE ROW LEVEL SECURITY;
ALTER TABLE suspensions FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON suspensions TO vitrine_app USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON suspensions TO vitrine_system USING (true) WITH CHECK (true);
CREATE POLICY published ON suspensions FOR SELECT TO vitrine_public USING (ended_at IS NULL);

-- Whether an organization (collection NULL), or one of its collections, is suspended.
CREATE FUNCTION is_suspended(of_organization uuid, of_collection uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM suspensions s
    WHERE s.organization_id = of_organization AND s.ended_at IS NULL AND (s.collection_id IS NULL OR s.collection_id = of_collection))
$$;

-- Whoever promises takes this lock shared, and a suspension takes it alone: what began before is committed when the suspension begins, and
-- what comes after sees it.
CREATE FUNCTION suspension_key(of_organization uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('vitrine suspension ' || of_organization::text, 0)
$$;
CREATE FUNCTION is_suspended_until_commit(of_organization uuid, of_collection uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(suspension_key(of_organization));
  RETURN is_suspended(of_organization, of_collection);
END $$;

CREATE FUNCTION refuse_suspended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_suspended_until_commit(NEW.organization_id, NEW.collection_id) THEN RAISE EXCEPTION 'suspended' USING ERRCODE = 'VT005'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_suspended BEFORE INSERT ON listings FOR EACH ROW EXECUTE FUNCTION refuse_suspended();
CREATE TRIGGER refuse_suspended BEFORE INSERT ON email_claims FOR EACH ROW EXECUTE FUNCTION refuse_suspended();
CREATE TRIGGER refuse_suspended BEFORE INSERT ON vouchers FOR EACH ROW EXECUTE FUNCTION refuse_suspended();
-- A completed one records what the chain has done already.
CREATE TRIGGER refuse_suspended BEFORE INSERT ON mint_requests FOR EACH ROW WHEN (NEW.state <> 'COMPLETED') EXECUTE FUNCTION refuse_suspended();

CREATE FUNCTION refuse_suspended_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user = 'vitrine_system' AND current_setting('vitrine.chain_facts', true) = 'on' THEN RETURN NEW; END IF;
  -- A purchase that was found at the card provider was promised before.
  IF is_suspended_until_commit(NEW.organization_id, NEW.collection_id)
    AND NOT EXISTS (SELECT 1 FROM purchase_intents WHERE id = NEW.holder_id AND recovered_at IS NOT NULL) THEN
    RAISE EXCEPTION 'suspended' USING ERRCODE = 'VT005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_suspended BEFORE INSERT ON holds FOR EACH ROW EXECUTE FUNCTION refuse_suspended_hold();

-- The first bytes of a transaction. Those that follow only raise the fees of what was signed before, or cancel it; a voucher may be cancelled
-- at any time.
CREATE FUNCTION refuse_suspended_signing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM transactions t WHERE t.id = NEW.transaction_id AND t.tx_type NOT IN ('CANCEL_VOUCHER', 'CANCEL')
      AND NOT EXISTS (SELECT 1 FROM signed_transactions s WHERE s.transaction_id = t.id)
      AND is_suspended_until_commit(t.organization_id, t.collection_id)) THEN
    RAISE EXCEPTION 'suspended' USING ERRCODE = 'VT005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_suspended BEFORE INSERT ON signed_transactions FOR EACH ROW WHEN (NOT NEW.cancels) EXECUTE FUNCTION refuse_suspended_signing();

-- A mail about a claim that is suspended.
ALTER TYPE "OutboxState" ADD VALUE 'HELD';

-- Reports about abuse, for the operator alone: an organization can add one about what is its own, for whoever reports it, and read none.
CREATE TYPE "ReportSubject" AS ENUM ('CLAIM', 'LISTING', 'PURCHASE', 'COLLECTION', 'ITEM');
CREATE TYPE "ReportReason" AS ENUM ('FRAUD', 'IMPERSONATION', 'INFRINGEMENT', 'ILLEGAL', 'OFFENSIVE', 'SPAM', 'OTHER');
CREATE TABLE "abuse_reports" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "collection_id" UUID NOT NULL,
    "subject_type" "ReportSubject" NOT NULL,
    "subject_id" UUID NOT NULL,
    "reason" "ReportReason" NOT NULL,
    "detail" TEXT,
    "email" TEXT,
    "client_network" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),
    "note" TEXT,

    CONSTRAINT "abuse_reports_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "abuse_reports_detail_length" CHECK (char_length(detail) <= 2000)
);
CREATE UNIQUE INDEX "abuse_reports_one_open" ON "abuse_reports"("subject_type", "subject_id", "client_network") WHERE closed_at IS NULL;
CREATE INDEX "abuse_reports_closed_at_id_idx" ON "abuse_reports"("closed_at", "id");
GRANT SELECT, INSERT, UPDATE, DELETE ON abuse_reports TO vitrine_system;
GRANT INSERT ON abuse_reports TO vitrine_app;
ALTER TABLE abuse_reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE abuse_reports FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON abuse_reports FOR INSERT TO vitrine_app WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON abuse_reports TO vitrine_system USING (true) WITH CHECK (true);
