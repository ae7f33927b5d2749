-- The same rows. Without OFFSET the planner may read all published items once for a statement, where it expects many rows of few items.
ALTER POLICY published ON item_history USING (EXISTS (SELECT 1 FROM items i WHERE i.id = item_id OFFSET 0));
ALTER POLICY published ON item_owners USING (EXISTS (SELECT 1 FROM items i WHERE i.id = item_id OFFSET 0));

-- Row-level security looks for the item of each row of its history and of each of its owners. These look for it once, and give only how many
-- there are, up to `most`: of an item that is published, or of the organization of the transaction.
CREATE FUNCTION is_shown_item(of_item uuid) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT EXISTS (SELECT 1 FROM public.items i JOIN public.collections c ON c.id = i.collection_id
    WHERE i.id = of_item AND (i.organization_id = public.current_organization() OR (i.locked_at IS NOT NULL AND c.deployment_status = 'SUCCESS')))
$$;

-- A type is compared in text of its own, so that the index of that type answers.
CREATE FUNCTION count_shown_history(of_item uuid, of_type text, most integer) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  total bigint;
BEGIN
  IF NOT public.is_shown_item(of_item) THEN RETURN 0; END IF;
  EXECUTE 'SELECT count(*) FROM (SELECT 1 FROM public.item_history h WHERE h.item_id = $1'
    || CASE WHEN of_type IS NULL THEN '' ELSE format(' AND h.type = %L', of_type) END || ' ORDER BY h.id LIMIT $2) some_rows' INTO total USING of_item, most;
  RETURN total;
END $$;

CREATE FUNCTION count_shown_owners(of_item uuid, most integer) RETURNS bigint
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  SELECT count(*) FROM (SELECT 1 FROM public.item_owners o WHERE public.is_shown_item(of_item) AND o.item_id = of_item AND o.quantity > 0 ORDER BY o.address LIMIT most) some_rows
$$;

REVOKE ALL ON FUNCTION is_shown_item(uuid), count_shown_history(uuid, text, integer), count_shown_owners(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_shown_history(uuid, text, integer), count_shown_owners(uuid, integer) TO vitrine_app, vitrine_public;
