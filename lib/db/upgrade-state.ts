import type pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { columns, type RowOf } from './columns.ts'
import { type Migration, pendingOf, readApplied, readMigrations } from './migrations.ts'
import { ownerOptions } from './session.ts'

/** A release and the last migration it had. */
export type Release = { version: string; migration: string }

export type UpgradeState = {
  applied: string[]
  pending: Migration[]
  /** Applied migrations that this version doesn't have: the database is a later version's. */
  unknown: string[]
  /** The latest release all of whose migrations are applied; null before the first. */
  release: string | null
  /** Workers that were seen within the last minute and have not stopped. */
  workers: RowOf<typeof WORKER>[]
  /** Connections of web and workers, by the name they give themselves. */
  connections: { name: string; count: number; oldest: Date }[]
}

const WORKER = columns('w', 'Worker', ['id', 'startedAt', 'seenAt'])

/** Reads which migrations of this version a database has, and who works on it. Changes nothing. */
export async function readUpgradeState(databaseUrl: string, releases: readonly Release[]): Promise<UpgradeState> {
  const client = new DatabaseClient({
    connectionString: databaseUrl,
    options: ownerOptions(),
    application_name: 'vitrine-upgrade',
  })
  await client.connect()
  try {
    const migrations = readMigrations()
    const checksums = await readApplied(client)
    const names = new Set(migrations.map(({ name }) => name))
    return {
      applied: [...checksums.keys()].sort(),
      pending: pendingOf(migrations, checksums),
      unknown: [...checksums.keys()].filter((name) => !names.has(name)).sort(),
      release: releases.findLast(({ migration }) => checksums.has(migration))?.version ?? null,
      workers: await readWorkers(client),
      connections: await readConnections(client),
    }
  } finally {
    await client.end()
  }
}

/** The first release has no table of its workers. */
async function readWorkers(client: pg.Client): Promise<UpgradeState['workers']> {
  const { rows: found } = await client.query<{ exists: boolean }>(`SELECT to_regclass('workers') IS NOT NULL AS exists`)
  if (!found[0]!.exists) return []
  const { rows } = await client.query<UpgradeState['workers'][number]>(
    `SELECT ${WORKER} FROM workers w
     WHERE stopped_at IS NULL AND seen_at > clock_timestamp() - interval '1 minute' ORDER BY id`,
  )
  return rows
}

async function readConnections(client: pg.Client): Promise<UpgradeState['connections']> {
  const { rows } = await client.query<UpgradeState['connections'][number]>(
    `SELECT application_name AS name, count(*)::int AS count, min(backend_start) AS oldest FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'vitrine\\_%' GROUP BY 1 ORDER BY 1`,
  )
  return rows
}
