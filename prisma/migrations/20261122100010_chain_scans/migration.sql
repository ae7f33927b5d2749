-- A node may leave out logs. Once blocks have become final their logs are read a second time, up to this block.
ALTER TABLE chain_cursors ADD COLUMN rescanned_to bigint NOT NULL DEFAULT -1;
UPDATE chain_cursors SET rescanned_to = number;
