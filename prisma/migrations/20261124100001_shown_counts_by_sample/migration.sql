-- Where more rows than `most` - 1 belong to an item, a sample of 300 pages tells how many, at least `most`. It is read here, since row-level security
-- would look for the item of each row of the sample. An owner without units has no row, so that the index alone counts owners.
CREATE FUNCTION share_of_sample(of_table regclass) RETURNS float8 LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
  SELECT least(1, 300::float8 / greatest(relpages, 1)) FROM pg_class WHERE oid = of_table
$$;
REVOKE ALL ON FUNCTION share_of_sample(regclass) FROM PUBLIC;

CREATE OR REPLACE FUNCTION count_shown_history(of_item uuid, of_type text, most integer) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  -- A type is compared in text of its own, so that the index of that type answers.
  wanted text := 'h.item_id = $1' || CASE WHEN of_type IS NULL THEN '' ELSE format(' AND h.type = %L', of_type) END;
  share float8;
  total bigint;
BEGIN
  IF NOT public.is_shown_item(of_item) THEN RETURN 0; END IF;
  EXECUTE 'SELECT count(*) FROM (SELECT 1 FROM public.item_history h WHERE ' || wanted || ' ORDER BY h.id LIMIT $2) some_rows' INTO total USING of_item, most;
  IF total < most THEN RETURN total; END IF;
  share := public.share_of_sample('public.item_history');
  EXECUTE 'SELECT round(count(*) / $2)::bigint FROM public.item_history h TABLESAMPLE SYSTEM (100 * $2) REPEATABLE (1) WHERE ' || wanted
    INTO total USING of_item, share;
  RETURN greatest(total, most);
END $$;

CREATE OR REPLACE FUNCTION count_shown_owners(of_item uuid, most integer) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  share float8;
  total bigint;
BEGIN
  IF NOT public.is_shown_item(of_item) THEN RETURN 0; END IF;
  SELECT count(*) INTO total FROM (SELECT 1 FROM public.item_owners o WHERE o.item_id = of_item ORDER BY o.address LIMIT most) some_rows;
  IF total < most THEN RETURN total; END IF;
  share := public.share_of_sample('public.item_owners');
  SELECT round(count(*) / share) INTO total FROM public.item_owners o TABLESAMPLE SYSTEM (100 * share) REPEATABLE (1) WHERE o.item_id = of_item;
  RETURN greatest(total, most);
END $$;
