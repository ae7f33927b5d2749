-- outside a transaction
CREATE INDEX CONCURRENTLY listings_paused_for_payout ON listings (organization_id, id) WHERE paused_for_payout;
