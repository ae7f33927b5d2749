-- outside a transaction
-- Its column changed with every update of a claim, so that each wrote all indexes of the table. Few claims are locked: email_claims_locked_paid finds them.
DROP INDEX CONCURRENTLY IF EXISTS email_claims_locked;
