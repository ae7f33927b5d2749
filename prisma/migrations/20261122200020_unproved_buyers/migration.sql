-- client_network: the client that made a purchase, for limits: an IPv4 address or the /64 of an IPv6 one. buyer_mailbox: the mailbox that limits
-- count for buyer_email. buyer_proved: the buyer has signed with their address. secret_generation: raised when its buyer takes a purchase over,
-- which makes earlier secrets void.
ALTER TABLE purchase_intents
  ADD COLUMN client_network text,
  ADD COLUMN buyer_mailbox text,
  ADD COLUMN buyer_proved boolean NOT NULL DEFAULT false,
  ADD COLUMN secret_generation integer NOT NULL DEFAULT 0;

-- Challenges that were signed and used, until they expire: each is good for one action.
CREATE TABLE "used_challenges" (
    "organization_id" UUID NOT NULL,
    "nonce" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_challenges_pkey" PRIMARY KEY ("organization_id","nonce")
);
CREATE INDEX "used_challenges_organization_id_expires_at_idx" ON "used_challenges"("organization_id", "expires_at");
GRANT SELECT, INSERT, DELETE ON used_challenges TO vitrine_app, vitrine_system;
ALTER TABLE used_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE used_challenges FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON used_challenges TO vitrine_app USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON used_challenges TO vitrine_system USING (true) WITH CHECK (true);

-- Forced row-level security hides all rows from the owner of the tables too.
ALTER TABLE purchase_intents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE listing_buyers NO FORCE ROW LEVEL SECURITY;
-- As lib/offers/listings/mailbox.ts folded addresses when this was released.
UPDATE purchase_intents SET buyer_mailbox = CASE
    WHEN lower(split_part(buyer_email, '@', 2)) IN ('gmail.com', 'googlemail.com')
      THEN replace(split_part(lower(split_part(buyer_email, '@', 1)), '+', 1), '.', '') || '@gmail.com'
    WHEN lower(split_part(buyer_email, '@', 2)) IN ('outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'icloud.com', 'me.com', 'mac.com',
        'fastmail.com', 'fastmail.fm', 'proton.me', 'protonmail.com', 'pm.me')
      THEN split_part(lower(split_part(buyer_email, '@', 1)), '+', 1) || '@' || lower(split_part(buyer_email, '@', 2))
    ELSE lower(buyer_email) END
  WHERE buyer_email IS NOT NULL;
UPDATE purchase_intents SET client_network = CASE
    WHEN family(client_address::inet) = 6 THEN text(network(set_masklen(client_address::inet, 64)))
    ELSE client_address END
  WHERE status = 'PENDING' AND client_address ~ '^[0-9a-f.:]+$';
-- A buyer's count is what is confirmed: open purchases are counted where they are needed.
DELETE FROM listing_buyers;
INSERT INTO listing_buyers (organization_id, listing_id, kind, identity, quantity)
  SELECT organization_id, listing_id, 'EMAIL'::"IdentityKind", buyer_mailbox, sum(quantity) FROM purchase_intents
  WHERE units_state = 'CONFIRMED' AND buyer_mailbox IS NOT NULL GROUP BY 1, 2, 4
  UNION ALL
  SELECT organization_id, listing_id, 'ADDRESS'::"IdentityKind", buyer_address, sum(quantity) FROM purchase_intents
  WHERE units_state = 'CONFIRMED' AND buyer_address IS NOT NULL GROUP BY 1, 2, 4;
ALTER TABLE purchase_intents FORCE ROW LEVEL SECURITY;
ALTER TABLE listing_buyers FORCE ROW LEVEL SECURITY;

CREATE INDEX "purchase_intents_organization_id_buyer_mailbox_idx" ON "purchase_intents"("organization_id", "buyer_mailbox");
CREATE INDEX "purchase_intents_organization_id_client_network_created_at_idx" ON "purchase_intents"("organization_id", "client_network", "created_at");
-- Free claims of listings that nobody has opened.
CREATE INDEX email_claims_unopened ON email_claims (purchase_intent_id)
  WHERE state = 'OPEN' AND opened_at IS NULL AND last_pin_sent_at IS NULL AND purchase_intent_id IS NOT NULL;
