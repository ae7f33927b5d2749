import type pg from 'pg'

// The queue's tables are made by its library, and may differ between its versions: of a job that isn't finished these
// columns are kept.
const COLUMNS = [
  'id',
  'name',
  'priority',
  'data',
  'retry_limit',
  'retry_count',
  'retry_delay',
  'retry_backoff',
  'retry_delay_max',
  'expire_seconds',
  'deletion_seconds',
  'singleton_key',
  'start_after',
  'created_on',
  'keep_until',
  'policy',
  'heartbeat_seconds',
  'dead_letter',
].join(', ')

/**
 * Reads the jobs that aren't finished. One that runs is to be tried again: whoever runs it then has another database.
 */
export const copyJobsOut = (schema: string): string =>
  `COPY (SELECT ${COLUMNS}, CASE WHEN state = 'active' THEN 'retry' ELSE state END FROM ${schema}.job
     WHERE state IN ('created', 'retry', 'active')) TO STDOUT`

export const JOBS_IN = `COPY restored_jobs (${COLUMNS}, state) FROM STDIN`

export const makeRestoredJobs = (schema: string): string =>
  `CREATE TEMPORARY TABLE restored_jobs (LIKE ${schema}.job INCLUDING DEFAULTS) ON COMMIT DROP`

/**
 * Puts the restored jobs into their queues. Gives the names of jobs that this version doesn't know, which are dropped.
 */
export async function enterRestoredJobs(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `DELETE FROM restored_jobs r
      WHERE NOT EXISTS (SELECT 1 FROM ${schema}.queue q WHERE q.name = r.name) RETURNING name`,
  )
  await client.query(`INSERT INTO ${schema}.job (${COLUMNS}, state) SELECT ${COLUMNS}, state FROM restored_jobs`)
  return [...new Set(rows.map(({ name }) => name))]
}

/** Whether the queue's tables exist. */
export async function hasJobs(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) AS found', [`${schema}.job`])
  return rows[0].found !== null
}
