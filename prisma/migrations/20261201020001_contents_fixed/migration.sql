-- What a delayed reveal promises (docs/reveal.md). From the first promise on, the locked contents of such a collection stay as they are until the
-- reveal, and what was dealt stays after it, unless the collection has editable_metadata. The rule is kept here, whichever statement writes.

-- Whether units of a collection are set aside for somebody, or were minted.
CREATE FUNCTION is_promised(of_organization uuid, of_collection uuid) RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (SELECT 1 FROM holds WHERE organization_id = of_organization AND collection_id = of_collection AND state = 'HELD')
    OR EXISTS (SELECT 1 FROM items WHERE organization_id = of_organization AND collection_id = of_collection AND minted > 0)
    OR EXISTS (SELECT 1 FROM holds WHERE organization_id = of_organization AND collection_id = of_collection AND state IN ('CONSUMED', 'EXCEPTION'))
$$;

-- Refuses a change of a collection's contents once something of it is promised or minted. The collection stays locked until the transaction ends,
-- so that no promise begins meanwhile. `of_tokens` are the tokens whose contents change; NULL: none, and more items are locked.
CREATE FUNCTION assert_contents_free(of_collection uuid, of_tokens text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE place record;
BEGIN
  SELECT id, organization_id, revealed_at, editable_metadata INTO place FROM collections WHERE id = of_collection AND reveal_strategy = 'DELAYED' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF place.revealed_at IS NOT NULL AND (place.editable_metadata OR of_tokens IS NULL OR NOT EXISTS (
    -- An item that was locked after the reveal isn't part of it.
    SELECT 1 FROM unnest(of_tokens) AS token LEFT JOIN reveal_proofs p ON p.collection_id = place.id
    WHERE p.proof IS NULL OR p.proof->'tokens' @> jsonb_build_array(jsonb_build_object('token_id', token)))) THEN RETURN; END IF;
  IF is_promised(place.organization_id, place.id) THEN RAISE EXCEPTION 'contents_fixed' USING ERRCODE = 'VT010'; END IF;
END $$;

-- What an item holds: its attributes with what belongs to them, and our copy of its image. The first copy of an image only adds something.
CREATE FUNCTION contents_of(i items) RETURNS SETOF jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_array(i.attributes, i.translations, i.item_type_id)
  UNION ALL
  SELECT jsonb_build_array(i.image_source, i.image_cid, i.image_file) WHERE i.image_file IS NOT NULL AND i.image_source = i.attributes->>'image_url'
$$;

CREATE FUNCTION keep_contents() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place record;
  changed text[];
BEGIN
  FOR place IN
    SELECT id, revealed_at FROM collections WHERE id = ANY(ARRAY(SELECT DISTINCT collection_id FROM before)) AND reveal_strategy = 'DELAYED' ORDER BY id
  LOOP
    IF place.revealed_at IS NULL THEN
      -- The reveal itself deals contents among the same tokens: none of them is lost.
      IF EXISTS (
        SELECT content FROM before, contents_of(before.*::items) AS content WHERE collection_id = place.id AND locked_at IS NOT NULL
        EXCEPT ALL SELECT content FROM after, contents_of(after.*::items) AS content WHERE collection_id = place.id AND locked_at IS NOT NULL)
      OR EXISTS (
        SELECT id, token_id FROM before WHERE collection_id = place.id AND locked_at IS NOT NULL
        EXCEPT SELECT id, token_id FROM after WHERE collection_id = place.id AND locked_at IS NOT NULL)
      OR EXISTS (
        SELECT id FROM after WHERE collection_id = place.id AND locked_at IS NOT NULL
        EXCEPT SELECT id FROM before WHERE collection_id = place.id AND locked_at IS NOT NULL) THEN
        PERFORM assert_contents_free(place.id, NULL);
      END IF;
    ELSE
      changed := ARRAY(SELECT token_id FROM (
        SELECT id, token_id, content FROM before, contents_of(before.*::items) AS content WHERE collection_id = place.id AND locked_at IS NOT NULL
        EXCEPT ALL SELECT id, token_id, content FROM after, contents_of(after.*::items) AS content WHERE collection_id = place.id AND locked_at IS NOT NULL
      ) AS lost);
      IF changed <> '{}' THEN PERFORM assert_contents_free(place.id, changed); END IF;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_contents AFTER UPDATE ON items
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION keep_contents();

CREATE FUNCTION keep_content_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assert_contents_free(OLD.collection_id, ARRAY[OLD.token_id]);
  RETURN OLD;
END $$;
CREATE TRIGGER keep_content_there BEFORE DELETE ON items FOR EACH ROW WHEN (OLD.locked_at IS NOT NULL) EXECUTE FUNCTION keep_content_there();

CREATE FUNCTION refuse_more_contents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assert_contents_free(collection_id, NULL) FROM (SELECT DISTINCT collection_id FROM added WHERE locked_at IS NOT NULL ORDER BY 1) AS place;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_more_contents AFTER INSERT ON items
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_more_contents();

-- What of a collection would undo the promise. Its seed may be sealed anew, and what was never recorded may be.
CREATE FUNCTION keep_reveal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Items without a type of their own have their collection's.
  IF NEW.default_item_type_id IS DISTINCT FROM OLD.default_item_type_id
    AND EXISTS (SELECT 1 FROM items WHERE collection_id = OLD.id AND locked_at IS NOT NULL AND item_type_id IS NULL)
    AND (OLD.revealed_at IS NULL OR NOT OLD.editable_metadata)
    OR NEW.editable_metadata AND NOT OLD.editable_metadata
    OR NEW.reveal_strategy <> OLD.reveal_strategy
    OR NEW.reveal_commitment IS DISTINCT FROM OLD.reveal_commitment AND OLD.reveal_commitment IS NOT NULL
    OR NEW.reveal_provenance IS DISTINCT FROM OLD.reveal_provenance AND OLD.reveal_provenance IS NOT NULL
    OR NEW.revealed_at IS DISTINCT FROM OLD.revealed_at AND OLD.revealed_at IS NOT NULL
    OR NEW.revealed_seed IS DISTINCT FROM OLD.revealed_seed AND OLD.revealed_seed IS NOT NULL THEN
    PERFORM 1 FROM collections WHERE id = OLD.id FOR UPDATE;
    IF is_promised(OLD.organization_id, OLD.id) THEN RAISE EXCEPTION 'contents_fixed' USING ERRCODE = 'VT010'; END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_reveal AFTER UPDATE OF
  default_item_type_id, editable_metadata, reveal_strategy, reveal_commitment, reveal_provenance, revealed_at, revealed_seed ON collections
  FOR EACH ROW WHEN (OLD.reveal_strategy = 'DELAYED') EXECUTE FUNCTION keep_reveal();
