-- Whether a mint request may still be minted, or was. Its state changes with each step, and stood in the predicates of two indexes (as for items,
-- in the migration item_states); this changes only when the request ends without a mint. Rows from before that ended so are corrected by the next migration.
ALTER TABLE mint_requests ADD COLUMN is_live boolean NOT NULL DEFAULT true;
-- safe: this rewrites nothing. It holds for pages that are written from now on: the requests of a transaction are changed all at once.
ALTER TABLE mint_requests SET (fillfactor = 50);

CREATE FUNCTION is_live_mint(state "MintState") RETURNS boolean LANGUAGE sql IMMUTABLE
  AS $$ SELECT state IN ('WAITING', 'SUBMITTED', 'COMPLETED') $$;

CREATE FUNCTION set_live_mint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_live := is_live_mint(NEW.state);
  RETURN NEW;
END $$;
CREATE TRIGGER set_live_mint BEFORE INSERT OR UPDATE ON mint_requests FOR EACH ROW
  WHEN (NEW.is_live IS DISTINCT FROM is_live_mint(NEW.state)) EXECUTE FUNCTION set_live_mint();
ALTER TABLE mint_requests ENABLE ALWAYS TRIGGER set_live_mint;
