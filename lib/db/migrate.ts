import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { ownerOptions } from './session.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../prisma/migrations')
// The advisory lock that Prisma takes too, so that both never migrate a database at once.
const LOCK = 72707369

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

/**
 * Applies the missing migrations and returns their names. Each runs in one transaction with its row in Prisma's own table. A
 * second runner waits for the first and then finds nothing to do. Throws when an applied migration was changed, or one fails.
 */
export async function migrate(databaseUrl: string, folder = FOLDER): Promise<string[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    options: ownerOptions(),
    application_name: 'vitrine-migrate',
  })
  await client.connect()
  try {
    // A second runner waits for as long as the first one takes.
    await client.query(`SET lock_timeout = 0`)
    await client.query(`SELECT pg_advisory_lock(${LOCK})`)
    await client.query(`RESET lock_timeout`)
    await client.query(TABLE)
    const applied: string[] = []
    const known = await readApplied(client)
    for (const migration of readMigrations(folder)) {
      const checksum = known.get(migration.name)
      if (checksum === undefined) {
        await apply(client, migration)
        applied.push(migration.name)
      } else if (checksum !== migration.checksum)
        throw new Error(
          `Migration ${migration.name} was changed after it had been applied. Put it back and write a new one.`,
        )
    }
    return applied
  } finally {
    await client.end()
  }
}

type Migration = { name: string; sql: string; checksum: string }

export function readMigrations(folder = FOLDER): Migration[] {
  const names = fs.readdirSync(folder).filter((name) => fs.existsSync(path.join(folder, name, 'migration.sql')))
  return names.sort().map((name) => {
    const sql = fs.readFileSync(path.join(folder, name, 'migration.sql'), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

export async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const rows = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  )
  return new Map(rows.rows.map((row) => [row.migration_name, row.checksum]))
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(migration.sql)
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}) // the connection itself may be what failed
    throw new Error(`Migration ${migration.name} failed and nothing of it remains: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
