-- outside a transaction
-- safe: only functions read it, and they ask items_by_title_words by now.
DROP INDEX CONCURRENTLY items_by_words;
