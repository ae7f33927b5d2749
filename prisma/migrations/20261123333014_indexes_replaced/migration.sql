-- safe: mint_requests_once_per_claim and mint_requests_once_per_purchase_item take their place.
DROP INDEX mint_requests_one_live_per_claim, mint_requests_one_live_per_purchase_item;
-- safe: holds_by_item and item_history_of_collection begin with the same columns.
DROP INDEX holds_organization_id_item_id_idx, item_history_collection_id_idx;
