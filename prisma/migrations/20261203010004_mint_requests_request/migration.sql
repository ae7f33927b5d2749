-- The id of the request that wrote the row, by which what a worker does with it is found in the logs. Earlier rows have none.
ALTER TABLE mint_requests ADD COLUMN request_id text;
