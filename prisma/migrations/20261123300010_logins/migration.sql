-- Processes log in as members of vitrine_app, vitrine_system and vitrine_public, no longer as the owner who becomes one of them.

-- A session of vitrine_system is now one of a login that has its rights, and current_user is that login's name.
DO $$
DECLARE definition text;
BEGIN
  FOR definition IN
    SELECT pg_get_functiondef(oid) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND position('current_user = ''vitrine_system''' IN prosrc) > 0
  LOOP
    EXECUTE replace(definition, 'current_user = ''vitrine_system''', 'pg_has_role(current_user, ''vitrine_system'', ''USAGE'')');
  END LOOP;
END $$;

-- Members of vitrine_system could change or drop what it owns. The owner of the tables is a member of it and sees the same rows.
ALTER FUNCTION search_items(tsquery, integer) OWNER TO CURRENT_USER;
ALTER FUNCTION assert_lease(text, uuid, bigint) OWNER TO CURRENT_USER;
-- What it was allowed as their owner has passed to the new one.
GRANT EXECUTE ON FUNCTION assert_lease(text, uuid, bigint) TO vitrine_system;

-- The list of migrations came with the grant on all tables. It may be read.
REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM vitrine_system;
