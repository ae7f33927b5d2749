-- How many rows a list has, by what it is filtered by, so that a page doesn't count them. A row is an amount by which a statement changed the
-- number; the number is their sum. Nobody waits for another's row, and whoever reads sees what their snapshot of the table would give.
-- What has as many values as a table has rows is no filter of these: each value would keep a row.
-- A timer replaces the amounts of one kind by their sum (`folded`).
CREATE TABLE "row_counts" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "organization_id" UUID NOT NULL,
    "table_name" TEXT NOT NULL,
    "parent_id" UUID NOT NULL,
    "traits" TEXT[] NOT NULL,
    "amount" BIGINT NOT NULL,
    "folded" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "row_counts_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "row_counts_table_name_organization_id_parent_id_idx" ON "row_counts"("table_name", "organization_id", "parent_id");
CREATE INDEX row_counts_unfolded ON row_counts (id) WHERE NOT folded;
-- Rows come and go all the time.
ALTER TABLE row_counts SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

GRANT SELECT, INSERT, UPDATE, DELETE ON row_counts TO vitrine_system;
GRANT SELECT, INSERT ON row_counts TO vitrine_app;
GRANT SELECT ON row_counts TO vitrine_public;
ALTER TABLE row_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE row_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON row_counts TO vitrine_app USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
CREATE POLICY system ON row_counts TO vitrine_system USING (true) WITH CHECK (true);
-- Locked items of deployed collections, as the policy of items has it.
CREATE POLICY published ON row_counts FOR SELECT TO vitrine_public
  USING (table_name = 'items' AND traits[1] = 'true' AND parent_id IN (SELECT c.id FROM collections c));

-- The same as `tokenStatusOf` (lib/catalog/items/show-item.ts).
CREATE FUNCTION token_status(minted bigint, minting bigint, burned bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN minted > 0 AND burned < minted THEN 'MINTED' WHEN minted > 0 THEN 'BURNED' WHEN minting > 0 THEN 'MINTING' ELSE 'NOT_MINTED' END
$$;

-- One function and view for each table that is counted: what its rows are listed under, the filters (traits), and whether an update can change
-- either. `row_counts_missing` compares the numbers with the rows.
DO $$
DECLARE
  counted record;
  views text[] := '{}';
BEGIN
  FOR counted IN SELECT * FROM (VALUES
    ('items', 'collection_id', 'ARRAY[(locked_at IS NOT NULL)::text, token_status(minted, minting, burned)]', true),
    ('email_claims', 'collection_id', 'ARRAY[coalesce(campaign_id::text, ''''), state::text]', true),
    ('purchase_intents', 'listing_id', 'ARRAY[status::text, fulfillment_status::text, fulfillment_method::text, provider::text]', true),
    ('mint_requests', 'collection_id', '''{}''::text[]', false),
    ('transactions', 'collection_id', 'ARRAY[state::text, tx_type::text, network_id::text]', true),
    ('webhook_deliveries', 'webhook_id', 'ARRAY[state::text, event_type]', true),
    ('audit_entries', 'organization_id', 'ARRAY[actor_type, CASE WHEN actor_type IN (''member'', ''api_key'') THEN coalesce(actor_id, '''') ELSE '''' END, action, subject_type]', false),
    ('media_files', 'organization_id', 'ARRAY[pinning::text]', true),
    ('suppressions', 'organization_id', 'ARRAY[reason::text]', true),
    ('listings', 'collection_id', '''{}''::text[]', false),
    ('listing_allowances', 'listing_id', '''{}''::text[]', false),
    ('import_rows', 'import_id', 'ARRAY[verdict::text, state::text]', true)
  ) AS tables (name, parent, traits, may_change) LOOP
    EXECUTE format($body$
      CREATE FUNCTION count_%1$s() RETURNS trigger LANGUAGE plpgsql AS $code$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
            SELECT organization_id, %1$L, %2$s, %3$s, count(*) FROM after GROUP BY 1, 3, 4;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
            SELECT organization_id, %1$L, %2$s, %3$s, -count(*) FROM before GROUP BY 1, 3, 4;
        ELSE
          INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount)
            SELECT organization_id, %1$L, parent_id, traits, sum(change) FROM (
              SELECT organization_id, %2$s AS parent_id, %3$s AS traits, 1 AS change FROM after
              UNION ALL SELECT organization_id, %2$s, %3$s, -1 FROM before) changed
            GROUP BY 1, 3, 4 HAVING sum(change) <> 0;
        END IF;
        RETURN NULL;
      END $code$ $body$, counted.name, counted.parent, counted.traits);
    EXECUTE format('CREATE TRIGGER count_inserted AFTER INSERT ON %1$I REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s()', counted.name);
    EXECUTE format('CREATE TRIGGER count_deleted AFTER DELETE ON %1$I REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s()', counted.name);
    IF counted.may_change THEN
      EXECUTE format('CREATE TRIGGER count_updated AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s()', counted.name);
    END IF;
    views := views || format('SELECT organization_id, %1$L AS table_name, %2$s AS parent_id, %3$s AS traits, count(*) AS amount FROM %1$I GROUP BY 1, 3, 4',
      counted.name, counted.parent, counted.traits);
  END LOOP;
  EXECUTE 'CREATE VIEW row_counts_missing WITH (security_invoker = true) AS
    SELECT organization_id, table_name, parent_id, traits, sum(amount)::bigint AS amount FROM (' || array_to_string(views, ' UNION ALL ') || '
      UNION ALL SELECT organization_id, table_name, parent_id, traits, -amount FROM row_counts) counted
    GROUP BY 1, 2, 3, 4 HAVING sum(amount) <> 0';
END $$;
GRANT SELECT ON row_counts_missing TO vitrine_system;
