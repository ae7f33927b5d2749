-- Of 300 owners or more the sample is asked first. Where it says that there are surely more than are counted, they aren't counted: until
-- vacuum has seen the table, the index alone doesn't answer, and each of 10,000 owners was read.
CREATE OR REPLACE FUNCTION count_shown_owners(of_item uuid, most integer) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  share float8;
  total bigint;
  sampled bigint;
  pages bigint;
BEGIN
  IF NOT public.is_shown_item(of_item) THEN RETURN 0; END IF;
  SELECT count(*) INTO total FROM (SELECT 1 FROM public.item_owners o WHERE o.item_id = of_item ORDER BY o.address LIMIT least(most, 300)) some_rows;
  IF total < least(most, 300) THEN RETURN total; END IF;
  share := public.share_of_sample('public.item_owners');
  -- Owners of an item lie together: what counts is how many pages of the sample have some.
  SELECT round(count(*) / share), count(DISTINCT (o.ctid::text::point)[0]) INTO sampled, pages
    FROM public.item_owners o TABLESAMPLE SYSTEM (100 * share) REPEATABLE (1) WHERE o.item_id = of_item;
  IF sampled >= 1.5 * most AND pages >= 30 THEN RETURN sampled; END IF;
  SELECT count(*) INTO total FROM (SELECT 1 FROM public.item_owners o WHERE o.item_id = of_item ORDER BY o.address LIMIT most) some_rows;
  RETURN CASE WHEN total < most THEN total ELSE greatest(sampled, most) END;
END $$;
