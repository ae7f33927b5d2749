import pg from 'pg'
import { disconnect } from '../../lib/db/client.ts'
import { env } from '../../lib/core/env.ts'
import { closeQueue } from '../../lib/platform/jobs/queue.ts'
import { until } from './until.ts'

/**
 * A figure of PostgreSQL's statistics about this file's database. A backend reports its own when it ends, so this
 * process's connections are closed before; they are opened again at their next use.
 */
export async function readStatistic(statement: string): Promise<number> {
  await closeQueue()
  await disconnect()
  const client = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await client.connect()
  try {
    await until('The end of all other connections', async () => {
      const { rows } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
      )
      return rows.length === 0
    })
    const { rows } = await client.query<{ value: string }>(statement)
    return Number(rows[0]!.value)
  } finally {
    await client.end()
  }
}

/** How many deadlocks PostgreSQL has found in this file's database. */
export const countDeadlocks = () =>
  readStatistic('SELECT deadlocks AS value FROM pg_stat_database WHERE datname = current_database()')
