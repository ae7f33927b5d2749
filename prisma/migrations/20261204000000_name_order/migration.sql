-- The text that items are sorted by: the first 32 characters of a title without case and accents.
CREATE FUNCTION name_order(title text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(regexp_replace(lower(normalize(coalesce(title, ''), NFKD)), '[\u0300-\u036f]', '', 'g'), 32)
$$;
