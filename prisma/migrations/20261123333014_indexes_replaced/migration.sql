-- safe: mint_requests_once_per_claim and mint_requests_once_per_purchase_item take their place.
DROP INDEX mint_requests_one_live_per_claim, mint_requests_one_live_per_purchase_item;
-- safe: item_history_of_collection begins with the same column.
DROP INDEX item_history_collection_id_idx;
