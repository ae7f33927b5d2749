import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { findExcessRights } from '../../lib/db/excess-rights.ts'
import { loginUrl, rightsIn } from '../../lib/db/logins.ts'
import { type DatabaseRole, DATABASE_ROLES } from '../../lib/db/session.ts'
import { asOwner } from '../support/as-owner.ts'
import { makeOrganization } from '../support/organization.ts'

const ownerName = new URL(process.env.MIGRATE_DATABASE_URL!).username

/** A connection as the login of a role, without any option. */
async function logIn(role: DatabaseRole): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: loginUrl(process.env.DATABASE_URL!, role) })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** The SQLSTATE with which a statement is refused; null when it isn't. */
const refusalOf = (client: pg.Client, statement: string): Promise<string | null> =>
  client.query(statement).then(
    () => null,
    (error: unknown) => (error as pg.DatabaseError).code!,
  )

const NOT_PERMITTED = '42501'

test.each(DATABASE_ROLES)('the login of %s can become nobody else', async (role) => {
  const client = await logIn(role)
  const seen = async () => {
    const { rows } = await client.query<{ now: string; super: string }>(
      `SELECT current_user::text AS now, current_setting('is_superuser') AS super`,
    )
    return rows[0]
  }
  const itself = { now: `test${role.slice('vitrine'.length)}`, super: 'off' }
  for (const statement of ['RESET ROLE', 'SET ROLE NONE', 'RESET SESSION AUTHORIZATION', 'RESET ALL', 'DISCARD ALL']) {
    await client.query(statement)
    expect(await seen()).toEqual(itself)
  }
  for (const other of [ownerName, 'pg_read_all_data', 'pg_execute_server_program', 'test_public', 'vitrine_system']) {
    if (other === itself.now) continue
    expect([other, await refusalOf(client, `SET ROLE ${other}`)]).toEqual([other, NOT_PERMITTED])
    expect([other, await refusalOf(client, `SET SESSION AUTHORIZATION ${other}`)]).toEqual([other, NOT_PERMITTED])
  }
  expect(await seen()).toEqual(itself)
})

test.each(DATABASE_ROLES)('the login of %s changes no schema, no trigger and no right', async (role) => {
  const client = await logIn(role)
  for (const statement of [
    'CREATE TABLE mine (id int)',
    'CREATE TEMPORARY TABLE items (id int)',
    'CREATE SCHEMA mine',
    'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    'ALTER TABLE items ADD COLUMN mine int',
    'ALTER TABLE items DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE holds DISABLE TRIGGER ALL',
    'DROP TABLE items',
    'DROP FUNCTION search_items(tsquery, integer)',
    'ALTER FUNCTION assert_lease(text, uuid, bigint) SECURITY INVOKER',
    'DROP POLICY organization ON items',
    'TRUNCATE items',
    'TRUNCATE jobs',
    'SET session_replication_role = replica',
    'CREATE ROLE mine',
    'ALTER ROLE CURRENT_USER SUPERUSER',
    `GRANT vitrine_system TO ${ownerName}`,
    'COPY items TO PROGRAM $$true$$',
    'SELECT pg_read_file($$postgresql.conf$$)',
    'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES (1, 1, 1)',
  ])
    expect([statement, await refusalOf(client, statement)]).toEqual([statement, NOT_PERMITTED])
  // A grant of what one only has passes nothing on, and PostgreSQL says so in a warning.
  await client.query('GRANT SELECT ON items TO PUBLIC').catch(() => undefined)
  const { rows } = await client.query(
    `SELECT 1 FROM information_schema.role_table_grants WHERE table_name = 'items' AND grantee = 'PUBLIC'`,
  )
  expect(rows).toEqual([])
})

test('the logins see what their role sees, with no option of the connection', async () => {
  const [mine, other] = await Promise.all([makeOrganization(), makeOrganization()])
  for (const { ctx, id } of [mine, other])
    await ctx.db.campaign.create({ data: { id: newId(), organizationId: id, name: id } })
  const namesSeenBy = async (client: pg.Client) => {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM campaigns WHERE name = ANY ($1)', [
      [mine.id, other.id],
    ])
    return rows.map(({ name }) => name).sort()
  }
  const app = await logIn('vitrine_app')
  expect(await namesSeenBy(app)).toEqual([])
  await app.query(`SELECT set_config('vitrine.organization_id', $1, false)`, [mine.id])
  expect(await namesSeenBy(app)).toEqual([mine.id])
  const system = await logIn('vitrine_system')
  expect(await namesSeenBy(system)).toEqual([mine.id, other.id].sort())
  await system.query('BEGIN')
  await system.query(
    `SELECT set_config('vitrine.organization_id', $1, true), set_config('role', 'vitrine_app', true)`,
    [other.id],
  )
  expect(await namesSeenBy(system)).toEqual([other.id])
  await system.query('COMMIT')
  expect(await refusalOf(await logIn('vitrine_public'), 'SELECT name FROM campaigns')).toBe(NOT_PERMITTED)
})

test('the logins’ time zone and limits come from the database', async () => {
  for (const role of DATABASE_ROLES) {
    const { rows } = await (
      await logIn(role)
    ).query(
      `SELECT name, setting FROM pg_settings WHERE name IN ('TimeZone', 'idle_in_transaction_session_timeout', 'lock_timeout') ORDER BY name`,
    )
    expect(rows).toEqual([
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'idle_in_transaction_session_timeout', setting: '8000' },
      { name: 'lock_timeout', setting: '5000' },
    ])
  }
})

/** Rights that only this database knows, and what takes them back. */
const EXCESS: [string, string, string, string][] = [
  [
    'a table',
    'ALTER TABLE campaigns OWNER TO test_app',
    `ALTER TABLE campaigns OWNER TO ${ownerName}`,
    'The role test_app owns table campaigns.',
  ],
  [
    'what its group owns',
    'ALTER FUNCTION current_organization() OWNER TO vitrine_system',
    `ALTER FUNCTION current_organization() OWNER TO ${ownerName}`,
    'The role vitrine_system owns function current_organization().',
  ],
  [
    'the right to make tables',
    'GRANT CREATE ON SCHEMA public TO vitrine_public',
    'REVOKE CREATE ON SCHEMA public FROM vitrine_public',
    'The login test_public may create objects in the schema public.',
  ],
  [
    'the right to empty a table',
    'GRANT TRUNCATE ON items TO test_app',
    'REVOKE TRUNCATE ON items FROM test_app',
    'The login test_app may empty the table items or change its triggers.',
  ],
]

test('a login without its settings, as in a copy of the database, is named', async () => {
  const { pathname } = new URL(process.env.MIGRATE_DATABASE_URL!)
  const database = pathname.slice(1)
  onTestFinished(() => asOwner(rightsIn(database, 'test').join(';')))
  await asOwner(`ALTER ROLE test_app IN DATABASE ${database} RESET ALL`)
  expect(await findExcessRights()).toEqual([
    'The login test_app has no settings in this database, which may be a copy: run npm run migrate.',
  ])
})

test.each(EXCESS)('a login with %s too much is named', async (_, give, take, sentence) => {
  expect(await findExcessRights()).toEqual([])
  onTestFinished(() => asOwner(take))
  await asOwner(give)
  expect(await findExcessRights()).toContain(sentence)
})

test('no function asks for a shared role by the name of who is logged in', async () => {
  const functions = await systemClient().$queryRaw`
    SELECT proname::text AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~ 'current_user = ''vitrine_'`
  expect(functions).toEqual([])
})
