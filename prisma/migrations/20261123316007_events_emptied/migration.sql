-- outside a transaction
CREATE INDEX CONCURRENTLY events_emptied_idx ON events (created_at)
  WHERE type IN ('item.minted', 'item.transferred', 'item.burned', 'claim.delivered', 'collection.deployed', 'purchase.confirmed', 'purchase.fulfilled', 'purchase.refunded') AND data <> '{}';
