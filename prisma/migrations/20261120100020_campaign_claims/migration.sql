-- A campaign's funnel, its deletion, and the lists that are narrowed down to it.
CREATE INDEX "email_claims_organization_id_campaign_id_idx" ON "email_claims"("organization_id", "campaign_id");
CREATE INDEX "listings_organization_id_campaign_id_idx" ON "listings"("organization_id", "campaign_id");
