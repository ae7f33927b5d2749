-- By items_free_by_token and items_by_status. Their predicates named the counters.
-- safe: processes of the release before find the same rows without them, by the other indexes of a collection.
DROP INDEX items_free, items_minting, items_not_minted, items_minted, items_burned;
