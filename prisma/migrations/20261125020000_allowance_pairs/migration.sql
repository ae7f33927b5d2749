-- Each two characters of a text that follow one another, in lower case: first the pairs that begin at odd places, then the others. Single characters
-- would be as many again to write.
CREATE FUNCTION pairs_of(content text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_to_array(rtrim(regexp_replace(lower(content), '(..)|.', E'\\1\x01', 'g'), E'\x01'), E'\x01')
    || string_to_array(rtrim(regexp_replace(substr(lower(content), 2), '(..)|.', E'\\1\x01', 'g'), E'\x01'), E'\x01')
$$;
-- The pairs that a single character is part of, with those characters that entries of an allow list have.
CREATE FUNCTION pairs_with(single text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(lower(single) || other) || array_agg(other || lower(single))
  FROM unnest(string_to_array('abcdefghijklmnopqrstuvwxyz0123456789.@-_+''', NULL)) other
$$;
