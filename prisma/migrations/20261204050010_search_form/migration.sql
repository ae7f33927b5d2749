-- The form of a text in which searches compare it: lower case, one form of Unicode (NFC), "ss" for "ß", and one i for those of Turkish. Anything else is
-- as lower() of this database gives it. searchFormOf (lib/core/search-form.ts) does the same. Not strict, so that it is inlined.
CREATE FUNCTION search_form(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(content) = length(content) THEN lower(content)
    ELSE replace(replace(lower(replace(translate(normalize(content, NFC), 'İı', 'ii'), 'ẞ', 'ß')), 'ß', 'ss'), U&'i\0307', 'i') END
$$;
