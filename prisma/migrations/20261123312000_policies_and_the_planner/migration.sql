-- Policies name the organization by the function itself, not by (SELECT …): the planner evaluates it and knows whose rows are asked for, instead of
-- taking every organization for an average one. docs/decisions/0021 says what was measured.
DO $$
DECLARE policy record;
BEGIN
  FOR policy IN
    SELECT tablename, policyname,
      replace(qual, '( SELECT current_organization() AS current_organization)', 'current_organization()') AS visible,
      replace(with_check, '( SELECT current_organization() AS current_organization)', 'current_organization()') AS writable
    FROM pg_policies
    WHERE schemaname = 'public' AND coalesce(qual, with_check) LIKE '%( SELECT current_organization() AS current_organization)%'
  LOOP
    EXECUTE format('ALTER POLICY %I ON %I', policy.policyname, policy.tablename)
      || coalesce(' USING (' || policy.visible || ')', '') || coalesce(' WITH CHECK (' || policy.writable || ')', '');
  END LOOP;
END $$;
