-- Where the database was when a worker last looked: one row. Another place may lack the newest rows of the one before (a backup, a server that took
-- over), so request numbers jump then.
CREATE TABLE database_server (
  id boolean PRIMARY KEY DEFAULT true,
  -- Of the PostgreSQL cluster (pg_control_system), its history (timeline) and the database in it.
  system_identifier text NOT NULL,
  timeline bigint NOT NULL,
  database_oid bigint NOT NULL,
  -- How often request numbers have jumped here.
  jumps integer NOT NULL DEFAULT 0,
  noted_at timestamptz(3) NOT NULL,
  CONSTRAINT database_server_one_row CHECK (id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON database_server TO vitrine_system;

-- JSON carries no higher number exactly.
ALTER TABLE collections ADD CONSTRAINT collections_request_numbers_end CHECK (next_request_id <= 9007199254740991) NOT VALID;
