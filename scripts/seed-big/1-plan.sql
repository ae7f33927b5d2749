-- Tables and functions of this session, which the other files read. `seed_plan` has one row, `seed_organizations`, `seed_collections` and
-- `seed_addresses` are filled by fill-database.ts.
CREATE TEMP TABLE seed_plan (
  ends timestamptz NOT NULL,
  operator text NOT NULL,
  addresses int NOT NULL,
  -- Minted units of ERC-1155 items.
  edition_units int NOT NULL,
  -- Of 1,000 units of other items.
  transfers int NOT NULL,
  events int NOT NULL,
  mails int NOT NULL,
  audit_entries int NOT NULL,
  allowances int NOT NULL
);
-- o: 0 is the big organization.
CREATE TEMP TABLE seed_organizations (o int PRIMARY KEY, id uuid NOT NULL, name text NOT NULL, user_id uuid NOT NULL, member_id uuid NOT NULL);
-- Items are numbered over all collections: those of a collection are first + 1 … first + size.
CREATE TEMP TABLE seed_collections (
  c int PRIMARY KEY,
  o int NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  first int NOT NULL,
  size int NOT NULL
);
CREATE TEMP TABLE seed_addresses (n int PRIMARY KEY, address text NOT NULL);

-- A UUIDv7 of a time, a kind of rows and a number.
CREATE FUNCTION pg_temp.seed_id(at timestamptz, kind text, n bigint) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || kind || '8' || lpad(to_hex(n), 15, '0'))::uuid
$$;
-- Evenly spread and always the same: 0 … below - 1.
CREATE FUNCTION pg_temp.spread(n bigint, salt int, below int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT ((hashint8extended(n, salt) & 2147483647) % below)::int
$$;
CREATE FUNCTION pg_temp.hash_of(n bigint, kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT '0x' || md5(kind || n) || md5(n || kind)
$$;
-- As lib/onchain/history/history-id.ts derives it, of logs below 4096 that aren't of a batch.
CREATE FUNCTION pg_temp.move_id(block bigint, log_index int, network int) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(block), 12, '0') || '8000' || lpad(to_hex((2::bigint << 14) | (log_index << 2)), 4, '0') || lpad(to_hex(network), 12, '0'))::uuid
$$;
