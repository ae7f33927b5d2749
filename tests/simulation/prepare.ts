import pg from 'pg'
import { rightsIn } from '../../lib/db/logins.ts'
import { DATABASE_ROLES } from '../../lib/db/session.ts'
import { STEM } from '../support/prepare-database.ts'
import { withSimulatedTime } from './simulated-sql.ts'

const { escapeIdentifier: name, escapeLiteral: literal } = pg

/** What the simulated databases have in place of PostgreSQL's clock, ids and random numbers. */
const SCHEMA = `
  CREATE SCHEMA simulation;
  CREATE TABLE simulation.clock (at timestamptz NOT NULL);
  INSERT INTO simulation.clock VALUES ('2026-01-05T12:00:00Z');
  CREATE SEQUENCE simulation.numbers;
  CREATE FUNCTION simulation.now() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT at FROM simulation.clock';
  CREATE FUNCTION simulation.next_id() RETURNS uuid LANGUAGE sql VOLATILE SECURITY DEFINER
    AS $$ SELECT md5(nextval('simulation.numbers')::text)::uuid $$;
  CREATE FUNCTION simulation.random() RETURNS double precision LANGUAGE sql VOLATILE SECURITY DEFINER
    AS $$ SELECT ('x' || left(md5(nextval('simulation.numbers')::text), 8))::bit(32)::bigint / 4294967296.0 $$;
  -- PostgreSQL's own counts transactions of other databases of the server, such as those of a world that is simulated beside this one.
  CREATE FUNCTION simulation.oldest_transaction() RETURNS bigint LANGUAGE sql VOLATILE SECURITY DEFINER
    AS $$ SELECT coalesce(min(a.backend_xid::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
      FROM pg_stat_activity a WHERE a.datname = current_database() $$;
  GRANT USAGE ON SCHEMA simulation TO PUBLIC`

/** The simulator decides how long a statement waits, and no time-out of the real clock may come in between. */
const SETTINGS = { lock_timeout: '0', idle_in_transaction_session_timeout: '0', statement_timeout: '0', jit: 'off' }

async function withClient<T>(url: string, database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).toString(),
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Makes a copy of the migrated database in which time, ids and chance are the simulator's. */
export async function makeTemplate(url: string): Promise<string> {
  const migrated = new URL(url).pathname.slice(1)
  const template = `simulation_template_${process.pid}`
  await withClient(url, 'postgres', async (client) => {
    await client.query('SELECT pg_advisory_lock(1)')
    await client.query(`CREATE DATABASE ${name(template)} TEMPLATE ${name(migrated)}`)
  })
  await withClient(url, template, async (client) => {
    await client.query(SCHEMA)
    for (const statement of await findReal(client)) await client.query(withSimulatedTime(statement))
    await client.query('VACUUM ANALYZE')
  })
  return template
}

/** The statements that define again what uses PostgreSQL's own clock, ids or chance: functions and defaults. */
async function findReal(client: pg.Client): Promise<string[]> {
  const uses = (column: string) =>
    `${column} ~* '\\m(now|clock_timestamp|gen_random_uuid|random)\\(\\)|CURRENT_TIMESTAMP'`
  const { rows } = await client.query<{ statement: string }>(`
    SELECT pg_get_functiondef(p.oid) AS statement FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = 'public' AND p.prokind IN ('f', 'p') AND ${uses('pg_get_functiondef(p.oid)')}
    UNION ALL
    SELECT format('ALTER TABLE %I.%I ALTER COLUMN %I SET DEFAULT %s', table_schema, table_name, column_name, column_default)
    FROM information_schema.columns WHERE table_schema = 'public' AND ${uses('column_default')}`)
  return rows.map(({ statement }) => statement)
}

/** A database of its own for one seed. Gives what the logins connect with. */
export async function makeDatabase(url: string, template: string, database: string): Promise<string> {
  const settings = DATABASE_ROLES.flatMap((role) =>
    Object.entries(SETTINGS).map(
      ([setting, value]) =>
        `ALTER ROLE ${name(STEM + role.slice('vitrine'.length))} IN DATABASE ${name(database)} SET ${setting} = ${literal(value)}`,
    ),
  )
  await withClient(url, 'postgres', async (client) => {
    await client.query('SELECT pg_advisory_lock(1)')
    await client.query(`CREATE DATABASE ${name(database)} TEMPLATE ${name(template)}`)
    for (const statement of [...rightsIn(database, STEM), ...settings]) await client.query(statement)
    await client.query(`ALTER DATABASE ${name(database)} SET deadlock_timeout = '10min'`)
  })
  return Object.assign(new URL(url), { pathname: `/${database}` }).toString()
}

export const dropDatabase = (url: string, database: string): Promise<unknown> =>
  withClient(url, 'postgres', (client) => client.query(`DROP DATABASE IF EXISTS ${name(database)} WITH (FORCE)`))
