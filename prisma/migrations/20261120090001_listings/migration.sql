-- Listings by collection take the lowest free token id, or any.
CREATE INDEX items_free ON items (collection_id, length(token_id), token_id) WHERE locked_at IS NOT NULL AND minted = 0 AND held = 0;

-- Public lists ask for an organization's listings, newest first.
CREATE INDEX listings_of_organization ON listings (organization_id, id);
-- Snapshots that wait for their block.
CREATE INDEX snapshots_waiting ON snapshots (created_at) WHERE ready_at IS NULL AND failure IS NULL;
-- A snapshot adds a collection's moves up to a block.
CREATE INDEX item_history_of_collection ON item_history (collection_id, block_number);
