-- The characters of a text and each two that follow one another, in lower case: first the pairs that begin at odd places, then the others. A text
-- contains another, in any case, only if it has all of the other's.
CREATE FUNCTION grams_of(content text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_to_array(lower(content), NULL) || string_to_array(regexp_replace(lower(content), '(..)', E'\\1\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr(lower(content), 2), '(..)', E'\\1\x01', 'g'), E'\x01')
$$;
