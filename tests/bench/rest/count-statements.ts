import pg from 'pg'
import { until } from '../../../scripts/launcher/processes.ts'
import type { Stack } from '../http/sides.ts'

export type Counted = { text: string; perSecond: number; milliseconds: number }

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Loads the extension that counts: PostgreSQL is stopped for it, and the launcher starts it again. */
export async function prepareCounting(readStack: () => Stack): Promise<void> {
  const { database_url: url, pids } = readStack()
  await withClient(url, (client) =>
    client.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'").then(() => undefined),
  )
  process.kill(pids.postgres, 'SIGINT')
  await until('PostgreSQL', async () => {
    if (readStack().pids.postgres === pids.postgres) return false
    return withClient(url, async (client) => {
      await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
      return true
    })
  })
}

/** Counts from now on. Gives what ends that: the statements, those that took most time first. */
export async function countStatements(url: string): Promise<(seconds: number) => Promise<Counted[]>> {
  await withClient(url, (client) => client.query('SELECT pg_stat_statements_reset()'))
  return (seconds) =>
    withClient(url, async (client) => {
      const { rows } = await client.query<{ text: string; calls: number; ms: number }>(`
        SELECT regexp_replace(query, '\\s+', ' ', 'g') AS text, sum(calls)::float8 AS calls,
          sum(total_exec_time)::float8 AS ms
        FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' GROUP BY 1 ORDER BY 3 DESC`)
      return rows.map(({ text, calls, ms }) => ({ text, perSecond: calls / seconds, milliseconds: ms / seconds }))
    })
}
