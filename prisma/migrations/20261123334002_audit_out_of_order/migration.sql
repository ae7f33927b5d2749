-- Whether the time of a row is more than an hour away from the one that its id, a UUIDv7, begins with. All other rows between two times lie between two ids.
CREATE FUNCTION is_out_of_order(id uuid, created_at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT abs(('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint - (extract(epoch FROM created_at AT TIME ZONE 'UTC') * 1000)::bigint) > 3600000
$$;
