import pg from 'pg'
import { disconnect } from '../../lib/db/client.ts'
import { env } from '../../lib/core/env.ts'
import { until } from './until.ts'

/**
 * A figure of PostgreSQL's statistics about this file's database. A backend reports its own when it ends, so all
 * connections are ended before, and opened again at their next use. Contexts that were made before the last time have
 * connections that disconnect() doesn't know, and that would stay open for half a minute.
 */
export async function readStatistic(statement: string): Promise<number> {
  await disconnect()
  const client = new pg.Client({ connectionString: env.MIGRATE_DATABASE_URL })
  await client.connect()
  try {
    await until('The end of all other connections', async () => {
      const { rows } = await client.query(
        `SELECT state = 'idle' AND pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
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

/**
 * The statement of some work that read most, with the pages of 8 kB it read a call. `counts` says whether statements
 * that count are among them.
 */
export async function findMostRead<Answer>(
  owner: pg.Client,
  work: () => Promise<Answer>,
  { counts = true } = {},
): Promise<{ read: number; query: string; answer: Answer }> {
  await owner.query('SELECT pg_stat_statements_reset(0, oid, 0) FROM pg_database WHERE datname = current_database()')
  const answer = await work()
  const { rows } = await owner.query<{ read: number; query: string }>(
    `SELECT ((shared_blks_hit + shared_blks_read) / greatest(calls, 1))::int AS read, query FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query !~ 'pg_stat_statements' ORDER BY 1 DESC`,
  )
  return { ...rows.find(({ query }) => counts || !/\bcount\(/i.test(query))!, answer }
}
