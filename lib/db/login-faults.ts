import type { DatabaseRole } from './session.ts'

/** The roles that a login may be a member of, the one whose rights it has first. */
export const GROUPS: Record<DatabaseRole, readonly DatabaseRole[]> = {
  vitrine_app: ['vitrine_app'],
  // Without its rights: a worker's transaction becomes vitrine_app while it works on one organization
  // (lib/db/scope.ts).
  vitrine_system: ['vitrine_system', 'vitrine_app'],
  vitrine_public: ['vitrine_public'],
}

/**
 * Runs a query with the login's name as $1, the group whose rights it has as $2, and all groups it may belong to as $3.
 */
export type Query = (sql: string, values: [string, string, readonly string[]]) => Promise<{ fault: string }[]>

/**
 * The rights that a login has beyond its work, or lacks for it, one row each. `reach` is every role whose rights the
 * login has or may take. Objects that belong to the groups count too, since their members could change or drop them.
 */
const FAULTS = `
WITH login AS (SELECT * FROM pg_roles WHERE rolname = $1::text),
reach AS (SELECT r.* FROM login, pg_roles r WHERE pg_has_role(login.oid, r.oid, 'MEMBER') AND NOT login.rolsuper),
schemas AS (
  SELECT n.oid, n.nspname FROM pg_namespace n WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
)
SELECT format('The login %s doesn’t exist.', $1::text) AS fault WHERE NOT EXISTS (SELECT 1 FROM login)
UNION ALL
SELECT format('The login %s is a superuser.', rolname) FROM login WHERE rolsuper
UNION ALL
SELECT format('The login %s isn’t a member of %s.', rolname, $2::text) FROM login
WHERE NOT EXISTS (SELECT 1 FROM pg_roles g WHERE g.rolname = $2 AND pg_has_role(login.oid, g.oid, 'USAGE'))
UNION ALL
SELECT format('The login %s has no settings in this database, which may be a copy: run npm run migrate.', rolname)
FROM login
WHERE NOT EXISTS (
  SELECT 1 FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
  WHERE s.setrole = login.oid AND d.datname = current_database())
UNION ALL
SELECT format('The login %s is a member of %s.', $1::text, rolname) FROM reach
WHERE rolname <> $1 AND NOT rolname = ANY ($3::text[])
UNION ALL
SELECT format('The login %s has the rights of %s.', $1::text, g.rolname) FROM login, reach g
WHERE g.rolname = ANY ($3::text[]) AND g.rolname <> $2 AND pg_has_role(login.oid, g.oid, 'USAGE')
UNION ALL
SELECT format('The login %s may grant the role %s.', $1::text, g.rolname)
FROM login JOIN pg_auth_members m ON m.member = login.oid JOIN pg_roles g ON g.oid = m.roleid WHERE m.admin_option
UNION ALL
SELECT format('The role %s has the attribute %s.', r.rolname, a.name) FROM reach r,
LATERAL (VALUES (r.rolbypassrls, 'BYPASSRLS'), (r.rolcreaterole, 'CREATEROLE'), (r.rolcreatedb, 'CREATEDB'),
  (r.rolreplication, 'REPLICATION')) AS a (held, name)
WHERE a.held
UNION ALL
SELECT format('The role %s owns %s.', r.rolname, pg_describe_object(d.classid, d.objid, d.objsubid))
FROM pg_shdepend d JOIN reach r ON d.refobjid = r.oid
WHERE d.refclassid = 'pg_authid'::regclass AND d.deptype = 'o'
  AND d.dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
UNION ALL
SELECT format('The login %s may %s in the database.', login.rolname, p.what) FROM login,
(VALUES ('CREATE', 'create schemas'), ('TEMPORARY', 'create temporary tables')) AS p (name, what)
WHERE NOT rolsuper AND has_database_privilege(login.oid, current_database(), p.name)
UNION ALL
SELECT format('The login %s may create objects in the schema %s.', rolname, nspname) FROM login, schemas s
WHERE NOT rolsuper AND has_schema_privilege(login.oid, s.oid, 'CREATE')
UNION ALL
SELECT format('The login %s may empty the table %s or change its triggers.', rolname, c.oid::regclass)
FROM login, pg_class c JOIN schemas s ON s.oid = c.relnamespace
WHERE NOT rolsuper AND c.relkind IN ('r', 'p') AND has_table_privilege(login.oid, c.oid, 'TRUNCATE, TRIGGER')
UNION ALL
SELECT format('The login %s may turn off triggers by session_replication_role.', rolname) FROM login
WHERE NOT rolsuper AND has_parameter_privilege(login.oid, 'session_replication_role', 'SET')`

/** Finds the rights that the login of a role has beyond its work, or lacks for it, in one sentence each. */
export const findFaultsOf = async (query: Query, login: string, role: DatabaseRole): Promise<string[]> => {
  const rows = await query(FAULTS, [login, GROUPS[role][0]!, GROUPS[role]])
  return rows.map(({ fault }) => fault)
}
