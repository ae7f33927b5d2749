import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { applyMigration, PATIENCE, type Patience } from './apply-migration.ts'
import { MIGRATIONS, pendingOf, readApplied, readMigrations } from './migrations.ts'
import { ownerOptions } from './session.ts'

// The advisory lock that Prisma takes too, so that both never migrate a database at once.
const LOCK = 72707369
const LOCK_PAUSE_MS = 100

const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`

type Options = {
  /** Told while a migration waits for others. */
  say?: (line: string) => void
  patience?: Patience
}

/**
 * Applies the missing migrations and returns their names. Each runs in one transaction with its row in Prisma's own table, but for those that
 * say otherwise (docs/upgrades.md). A second runner waits for the first and then finds nothing to do. Throws when an applied migration was
 * changed, or one fails.
 */
export async function migrate(
  databaseUrl: string,
  folder = MIGRATIONS,
  { say = () => undefined, patience = PATIENCE }: Options = {},
): Promise<string[]> {
  const connect = async () => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      options: ownerOptions(),
      application_name: 'vitrine-migrate',
    })
    client.on('error', () => undefined) // the query under way fails with it
    await client.connect()
    return client
  }
  const client = await connect()
  let observer: pg.Client | undefined
  try {
    await takeLock(client)
    await client.query(TABLE)
    const pending = pendingOf(readMigrations(folder), await readApplied(client))
    observer = await connect()
    for (const migration of pending) await applyMigration(client, migration, { observer, say, patience })
    return pending.map(({ name }) => name)
  } finally {
    await observer?.end()
    await client.end()
  }
}

/** Asks again and again: a statement that waited for the lock would be a transaction that CREATE INDEX CONCURRENTLY waits for. */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS taken`)
    if (rows[0]!.taken) return
    await pause(LOCK_PAUSE_MS)
  }
}
