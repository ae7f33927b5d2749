-- Which key of SERVER_KEY made a hash: its id. Null: made before keys had ids.
ALTER TABLE api_keys ADD COLUMN server_key_id text;
ALTER TABLE claim_tokens ADD COLUMN server_key_id text;
ALTER TABLE pins ADD COLUMN server_key_id text;
ALTER TABLE purchase_intents ADD COLUMN server_key_id text;
