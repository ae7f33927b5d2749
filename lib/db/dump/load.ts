import type pg from 'pg'
import { copyIn, copyOut } from './copy.ts'
import { copyOldJobsIn, hasRowsOfOldJobs, OLD_SCHEMA } from './jobs.ts'
import { readApplied } from '../migrations.ts'
import type { Statement } from '../statements.ts'
import { connectOwner } from './owner.ts'
import type { Sequence } from './snapshot.ts'
import { asReaderOf, copyStatementOf, LEFT_OUT, listTables, type Table } from './tables.ts'

// Migrations of release 0.1.0 make no table of workers.
const leftOutIn = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1)`,
    [LEFT_OUT],
  )
  return rows.map(({ name }) => name)
}

/**
 * Throws an Error that names what the database holds, unless that is nothing, or the tables of some of these migrations
 * without a row.
 */
export async function assertEmptyDatabase(databaseUrl: string, migrations: readonly { name: string }[]): Promise<void> {
  const client = await connectOwner(databaseUrl, 'vitrine-restore')
  try {
    await client.query('BEGIN READ ONLY')
    await assertEmpty(client)
    const known = new Set(migrations.map(({ name }) => name))
    const later = [...(await readApplied(client)).keys()].filter((name) => !known.has(name))
    if (later.length > 0)
      throw new Error(
        `The database was migrated further than the backup (${later[0]}). Restore into one that holds nothing.`,
      )
  } finally {
    await client.end()
  }
}

/** In a transaction. */
async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows: others } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
       AND ($1 OR n.nspname NOT IN ('public', $2)) ORDER BY 1`,
    [(await readApplied(client)).size === 0, OLD_SCHEMA],
  )
  const holding = others.map(({ name }) => name)
  if (holding.length === 0) holding.push(...(await listTablesWithRows(client)))
  if (holding.length === 0) return assertUnused(client)
  const more = holding.length > 5 ? ` and ${holding.length - 5} more` : ''
  throw new Error(
    `The database is not empty: it holds ${holding.slice(0, 5).join(', ')}${more}. Restore into an empty one.`,
  )
}

/**
 * Web and workers give their connections such names. One that runs would send and promise before the books are compared
 * with the chain.
 */
async function assertUnused(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'vitrine\\_%' ORDER BY 1`,
  )
  if (rows.length > 0)
    throw new Error(
      `Processes are connected to the database: ${rows.map(({ name }) => name).join(', ')}. ` +
        'Stop web and worker, and their pooler, first.',
    )
}

async function listTablesWithRows(client: pg.Client): Promise<string[]> {
  if ((await readApplied(client)).size === 0) return []
  const leftOut = (await leftOutIn(client)).filter((name) => name !== '_prisma_migrations')
  const tables = [...(await listTables(client)), ...leftOut.map((name) => ({ name, forced: false }))]
  const found: string[] = []
  for (const forced of [false, true]) {
    const names = tables.filter((table) => table.forced === forced).map(({ name }) => name)
    if (names.length === 0) continue
    await asReaderOf(client, { forced })
    const selects = names.map((name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM public.${name})`)
    const { rows } = await client.query<{ name: string }>(selects.join(' UNION ALL '))
    found.push(...rows.map(({ name }) => name))
  }
  await asReaderOf(client, { forced: false })
  if (await hasRowsOfOldJobs(client)) found.push(`${OLD_SCHEMA}.job`)
  return found.sort()
}

/** Fills the tables of a database. Nothing of it can be seen before all of it is there. */
type Load = {
  /** Loads a table and gives its number of rows. */
  table(table: Pick<Table, 'name' | 'columns'>, rows: AsyncIterable<Buffer>): Promise<number>
  /** Reads back what was loaded. */
  rowsOf(table: Pick<Table, 'name' | 'columns'>): AsyncGenerator<Buffer>
  /** Loads jobs that an earlier release left. */
  oldJobs(rows: AsyncIterable<Buffer>): Promise<void>
  sequences(sequences: readonly Sequence[]): Promise<void>
  /** Changes what was loaded. */
  change(statement: Statement, ...values: unknown[]): Promise<void>
}

/**
 * Fills an empty database in one transaction: all of it or nothing. Triggers do not fire, since what they would do is
 * in the rows already; foreign keys are made again at the end and checked then.
 */
export async function loadDatabase(databaseUrl: string, work: (load: Load) => Promise<void>): Promise<void> {
  const client = await connectOwner(databaseUrl, 'vitrine-restore')
  try {
    await client.query('BEGIN')
    const tables = await listTables(client)
    await client.query(
      `LOCK TABLE ${[...tables.map(({ name }) => name), ...(await leftOutIn(client))].join(', ')}
        IN ACCESS EXCLUSIVE MODE`,
    )
    await assertEmpty(client)
    const restoreRules = await suspendRules(client, tables)
    await work({
      table: ({ name, columns }, rows) =>
        copyIn(client, `COPY public.${name} (${columns.join(', ')}) FROM STDIN`, rows),
      rowsOf: (table) => copyOut(client, copyStatementOf(table)),
      oldJobs: (rows) => copyOldJobsIn(client, rows),
      sequences: async (sequences) => {
        for (const { name, value, called } of sequences)
          await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [`public.${name}`, value, called])
      },
      change: async ({ text }, ...values) => void (await client.query(text, values)),
    })
    await forgetLaterPositions(client, tables)
    await restoreRules()
    await client.query('COMMIT')
    await client.query(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`)
  } finally {
    await client.end()
  }
}

/**
 * Events have the numbers of the transactions that wrote them. Numbers of another server that this one hasn't reached
 * yet are deleted: listeners would get these events as new ones once it reaches them.
 */
async function forgetLaterPositions(client: pg.Client, tables: readonly Table[]): Promise<void> {
  // Its name is quoted, since it is a word of SQL too.
  if (!tables.some(({ name, columns }) => name === 'events' && columns.includes('"position"'))) return
  await client.query(
    'UPDATE public.events SET position = NULL WHERE position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint',
  )
}

/**
 * Takes away, until the returned function is called, what acts on loaded rows: triggers, foreign keys, and row-level
 * security for the owner, who could load nothing. Needs no superuser, unlike session_replication_role.
 */
async function suspendRules(client: pg.Client, tables: readonly Table[]): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
       AND conparentid = 0 ORDER BY 1, 2`,
  )
  const { rows: always } = await client.query<{ table: string; name: string }>(
    `SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name FROM pg_trigger
      WHERE tgenabled = 'A' AND NOT tgisinternal ORDER BY 1, 2`,
  )
  const forced = tables.filter((table) => table.forced)
  const run = (...statements: string[]) => client.query(statements.join(';'))
  await run(
    ...forced.map(({ name }) => `ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`),
    ...tables.map(({ name }) => `ALTER TABLE ${name} DISABLE TRIGGER USER`),
    ...keys.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
  )
  return async () => {
    await run(
      ...keys.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
      ...tables.map(({ name }) => `ALTER TABLE ${name} ENABLE TRIGGER USER`),
      ...always.map(({ table, name }) => `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`),
      ...forced.map(({ name }) => `ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`),
    )
  }
}
