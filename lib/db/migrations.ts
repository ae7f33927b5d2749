import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'

export const MIGRATIONS = path.resolve(import.meta.dirname, '../../prisma/migrations')

/** Prisma's own, where the applied migrations are entered. */
export const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`

/** `outside`: it is one statement that PostgreSQL runs in no transaction, such as CREATE INDEX CONCURRENTLY. */
export type Migration = { name: string; sql: string; checksum: string; outside: boolean }

const OUTSIDE = /^-- outside a transaction$/m

/** The migrations of a folder, in the order in which they are applied. */
export function readMigrations(folder = MIGRATIONS): Migration[] {
  const names = fs.readdirSync(folder).filter((name) => fs.existsSync(path.join(folder, name, 'migration.sql')))
  return names.sort().map((name) => {
    const sql = fs.readFileSync(path.join(folder, name, 'migration.sql'), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), outside: OUTSIDE.test(sql) }
  })
}

/** The migrations that a database has, with their checksums; none in a database that was never migrated. */
export async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  )
  if (!rows[0]!.exists) return new Map()
  const applied = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  )
  return new Map(applied.rows.map((row) => [row.migration_name, row.checksum]))
}

/** Of these migrations, those that are missing. Throws when one was changed after it had been applied. */
export function pendingOf(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const changed = migrations.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum)
  if (changed)
    throw new Error(`Migration ${changed.name} was changed after it had been applied. Put it back and write a new one.`)
  return migrations.filter(({ name }) => !applied.has(name))
}
