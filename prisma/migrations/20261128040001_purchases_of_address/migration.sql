-- outside a transaction
-- Whether an address has an open voucher purchase is asked at each purchase, of all organizations. Beside the organization, another index may look as good for a table that was never analyzed, and be read wholly.
CREATE INDEX CONCURRENTLY purchase_intents_of_address ON purchase_intents (buyer_address) WHERE buyer_address IS NOT NULL;
