import type pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { type Migration, MIGRATIONS_TABLE, pendingOf, readApplied, readMigrations } from './migrations.ts'
import { ownerOptions } from './session.ts'
import { splitStatements } from './split-statements.ts'

type PlannedLock = { table: string; mode: string; blocks: string; rows: number; bytes: number }
type PlannedStatement = { sql: string; locks: PlannedLock[] }
export type PlannedMigration = { name: string; outside: boolean; statements: PlannedStatement[] }

/**
 * The statements that wait while a lock is held, by PostgreSQL's table of conflicts. Weaker locks keep neither readers
 * nor writers waiting.
 */
const BLOCKS: Record<string, string> = {
  AccessExclusiveLock: 'reads and writes wait',
  ExclusiveLock: 'writes wait',
  ShareRowExclusiveLock: 'writes wait',
  ShareLock: 'writes wait',
  ShareUpdateExclusiveLock: 'nobody waits but other changes of the schema',
}

/**
 * The pending migrations statement by statement, with the locks that each takes on tables that exist before it. They
 * are read from PostgreSQL while the migrations run in a database made for this, beside the given one and without its
 * rows. That one is only read.
 */
export async function planUpgrade(databaseUrl: string): Promise<PlannedMigration[]> {
  const client = await connect(databaseUrl)
  try {
    const applied = await readApplied(client)
    const pending = pendingOf(readMigrations(), applied)
    if (pending.length === 0) return []
    const name = `${new URL(databaseUrl).pathname.slice(1)}_plan`
    await dropInterrupted(client, name)
    await client.query(`CREATE DATABASE "${name}" TEMPLATE template0`)
    try {
      await client.query(`COMMENT ON DATABASE "${name}" IS '${MARK}'`)
      const done = readMigrations().filter((migration) => applied.has(migration.name))
      const planned = await runIn(
        Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).toString(),
        done,
        pending,
      )
      await addSizes(client, planned)
      return planned
    } finally {
      await client.query(`DROP DATABASE "${name}" WITH (FORCE)`)
    }
  } finally {
    await client.end()
  }
}

const MARK = 'made by npm run upgrade -- --plan'

/** Drops the database of a plan that was interrupted. Throws an Error when one of that name is something else's. */
async function dropInterrupted(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ mark: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS mark FROM pg_database WHERE datname = $1`,
    [name],
  )
  if (rows.length > 0 && rows[0]!.mark !== MARK)
    throw new Error(`There is a database ${name} already, and no plan made it. Drop or rename it, if it is yours.`)
  await client.query(`DROP DATABASE IF EXISTS "${name}"`)
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new DatabaseClient({ connectionString, options: ownerOptions(), application_name: 'vitrine-plan' })
  await client.connect()
  return client
}

async function runIn(url: string, done: Migration[], pending: Migration[]): Promise<PlannedMigration[]> {
  const client = await connect(url)
  try {
    await client.query(MIGRATIONS_TABLE) // migrations change its rights
    for (const { sql } of done) await client.query(sql)
    const planned: PlannedMigration[] = []
    for (const migration of pending) planned.push(await runOne(client, migration))
    return planned
  } finally {
    await client.end()
  }
}

async function runOne(client: pg.Client, { name, sql, outside }: Migration): Promise<PlannedMigration> {
  const statements: PlannedStatement[] = []
  if (outside) {
    // It frees its locks when it ends. PostgreSQL documents this one for what may run concurrently.
    const table = /\bON\s+(?:ONLY\s+)?"?(\w+)"?/i.exec(sql)?.[1]
    await client.query(sql)
    const locks = table ? [lockOf({ table, mode: 'ShareUpdateExclusiveLock' })] : []
    return { name, outside, statements: [{ sql: splitStatements(sql)[0]!.text, locks }] }
  }
  await client.query('BEGIN')
  const before = new Set(await tablesOf(client))
  let held = new Set<string>()
  for (const { text } of splitStatements(sql)) {
    await client.query(text)
    const locks = (await readLocks(client)).filter(({ table }) => before.has(table))
    const fresh = locks.filter(({ table, mode }) => !held.has(`${table} ${mode}`))
    held = new Set(locks.map(({ table, mode }) => `${table} ${mode}`))
    statements.push({ sql: text, locks: fresh.filter(({ mode }) => mode in BLOCKS).map(lockOf) })
  }
  await client.query('COMMIT')
  return { name, outside, statements }
}

type HeldLock = { table: string; mode: string }

const lockOf = ({ table, mode }: HeldLock): PlannedLock => ({ table, mode, blocks: BLOCKS[mode]!, rows: 0, bytes: 0 })

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  )
  return rows.map(({ name }) => name)
}

async function readLocks(client: pg.Client): Promise<HeldLock[]> {
  const { rows } = await client.query<HeldLock>(
    `SELECT c.relname AS table, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
     WHERE l.pid = pg_backend_pid() AND l.granted AND c.relkind IN ('r', 'p') ORDER BY 1, 2`,
  )
  return rows
}

/** How big the tables are in the real database, by its own statistics. */
async function addSizes(client: pg.Client, planned: PlannedMigration[]): Promise<void> {
  const { rows } = await client.query<{ name: string; rows: string; bytes: string }>(
    `SELECT relname AS name, greatest(reltuples, 0)::bigint AS rows, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
  )
  const sizes = new Map(rows.map((each) => [each.name, each]))
  for (const lock of planned.flatMap(({ statements }) => statements.flatMap(({ locks }) => locks))) {
    lock.rows = Number(sizes.get(lock.table)?.rows ?? 0)
    lock.bytes = Number(sizes.get(lock.table)?.bytes ?? 0)
  }
}
