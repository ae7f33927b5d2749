-- What the sender needs beside the state: when a batch closed, and which block a transaction stands in.
ALTER TABLE transactions ADD COLUMN block_hash text;
ALTER TABLE transactions ADD COLUMN closed_at timestamptz(3);

CREATE INDEX transactions_joinable ON transactions (collection_id) WHERE tx_type = 'ADMIN_MINT' AND state = 'PENDING' AND closed_at IS NULL;
CREATE INDEX transactions_mined ON transactions (network_id, block_number) WHERE block_number IS NOT NULL AND final_at IS NULL;
