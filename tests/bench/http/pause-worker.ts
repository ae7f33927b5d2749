import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Stack } from './sides.ts'

/**
 * While it has work, it is hardly ever outside of a transaction: it is tried for ten minutes, at moments that don't
 * keep step with its rounds.
 */
const TRIES = 10_000
const MOST_MS_BETWEEN = 80

const BUSY = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'`

/**
 * Stops the worker outside of any transaction, so that it holds no lock and delivers nothing while writes of the web
 * process are measured beside those of a server that has no worker. Gives what lets it go on.
 */
export async function pauseWorker({ pids, database_url }: Stack): Promise<() => void> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  const resume = () => void process.kill(pids.worker, 'SIGCONT')
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      process.kill(pids.worker, 'SIGSTOP')
      await wait(20) // what it sent before has arrived
      const { rows } = await client.query<{ count: number }>(BUSY)
      if (rows[0]!.count === 0) return resume
      resume()
      await wait(Math.random() * MOST_MS_BETWEEN)
    }
    throw new Error('The worker could not be stopped between two transactions.')
  } finally {
    await client.end()
  }
}
