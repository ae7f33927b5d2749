import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { applyMigration, migrationTransaction, PATIENCE, type Patience, untilUnlocked } from './apply-migration.ts'
import { MIGRATIONS, MIGRATIONS_TABLE, pendingOf, readApplied, readMigrations } from './migrations.ts'
import { ownerOptions } from './session.ts'

// The advisory lock that Prisma takes too, so that both never migrate a database at once.
const LOCK = 72707369
const LOCK_PAUSE_MS = 100
const SETTLE = path.resolve(import.meta.dirname, '../../prisma/settle')

type Options = {
  /** Told while a migration waits for others. */
  say?: (line: string) => void
  patience?: Patience
}

/**
 * Applies the missing migrations and returns their names. Each runs in one transaction with its row in Prisma's own
 * table, but for those that say otherwise (docs/upgrades.md). A second runner waits for the first and then finds
 * nothing to do. Throws when an applied migration was changed, or one fails.
 */
export async function migrate(
  databaseUrl: string,
  folder = MIGRATIONS,
  { say = () => undefined, patience = PATIENCE }: Options = {},
): Promise<string[]> {
  const client = await connectOwner(databaseUrl)
  let observer: pg.Client | undefined
  try {
    await takeLock(client)
    await client.query(MIGRATIONS_TABLE)
    const pending = pendingOf(readMigrations(folder), await readApplied(client))
    observer = await connectOwner(databaseUrl)
    for (const migration of pending) await applyMigration(client, migration, { observer, say, patience })
    return pending.map(({ name }) => name)
  } finally {
    await observer?.end()
    await client.end()
  }
}

/**
 * Settles what processes of an earlier release wrote meanwhile (prisma/settle), in one transaction for each release.
 */
export async function settleUpgrade(
  databaseUrl: string,
  { say = () => undefined, patience = PATIENCE }: Options = {},
): Promise<string[]> {
  const client = await connectOwner(databaseUrl)
  const observer = await connectOwner(databaseUrl)
  try {
    await takeLock(client)
    const files = fs.readdirSync(SETTLE).sort()
    for (const name of files) {
      const sql = fs.readFileSync(path.join(SETTLE, name), 'utf8')
      const what = `What ${name} settles is left as it was`
      await untilUnlocked(client, { name, what }, { observer, say, patience }, () =>
        migrationTransaction(client, patience.lockMs, async () => void (await client.query(sql))),
      )
    }
    return files
  } finally {
    await observer.end()
    await client.end()
  }
}

async function connectOwner(connectionString: string): Promise<pg.Client> {
  const client = new DatabaseClient({ connectionString, options: ownerOptions(), application_name: 'vitrine-migrate' })
  await client.connect()
  return client
}

/**
 * Asks again and again: a statement that waited for the lock would be a transaction that CREATE INDEX CONCURRENTLY
 * waits for.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS taken`)
    if (rows[0]!.taken) return
    await pause(LOCK_PAUSE_MS)
  }
}
