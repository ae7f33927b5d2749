import type pg from 'pg'
import { copyIn, copyOut } from './copy.ts'

// Earlier releases had their jobs in a schema of their own. A backup has those that weren't moved yet
// (lib/platform/jobs/take-old-jobs.ts).
export const OLD_SCHEMA = 'pgboss'
const TABLE = `${OLD_SCHEMA}.job`

/** Of a job that isn't finished these columns are kept. */
const KEPT = {
  id: 'uuid',
  name: 'text',
  priority: 'integer',
  data: 'jsonb',
  retry_limit: 'integer',
  retry_count: 'integer',
  retry_delay: 'integer',
  retry_backoff: 'boolean',
  retry_delay_max: 'integer',
  expire_seconds: 'integer',
  deletion_seconds: 'integer',
  singleton_key: 'text',
  start_after: 'timestamptz',
  created_on: 'timestamptz',
  keep_until: 'timestamptz',
  policy: 'text',
  heartbeat_seconds: 'integer',
  dead_letter: 'text',
}
const COLUMNS = Object.keys(KEPT).join(', ')

/**
 * Reads the old jobs that aren't finished. One that runs is to be tried again: whoever runs it has another database.
 */
export async function* copyOldJobsOut(client: pg.Client): AsyncGenerator<Buffer> {
  if (await hasOldJobs(client))
    yield* copyOut(
      client,
      `COPY (SELECT ${COLUMNS}, CASE WHEN state = 'active' THEN 'retry' ELSE state END FROM ${TABLE}
         WHERE state IN ('created', 'retry', 'active')) TO STDOUT`,
    )
}

/** Puts old jobs where a worker finds them, into a table of these columns where the database has none of that name. */
export async function copyOldJobsIn(client: pg.Client, rows: AsyncIterable<Buffer>): Promise<void> {
  const copied = `COPY ${TABLE} (${COLUMNS}, state) FROM STDIN`
  if (await hasOldJobs(client)) return void (await copyIn(client, copied, rows))
  const columns = Object.entries({
    ...KEPT,
    state: 'text',
    blocked: 'boolean DEFAULT false',
    started_on: 'timestamptz',
    completed_on: 'timestamptz',
    heartbeat_on: 'timestamptz',
  })
  await client.query(`
    SAVEPOINT before_old_jobs;
    CREATE SCHEMA ${OLD_SCHEMA};
    CREATE TABLE ${TABLE} (${columns.map(([name, type]) => `${name} ${type}`).join(', ')});
    GRANT USAGE ON SCHEMA ${OLD_SCHEMA} TO vitrine_system;
    GRANT SELECT, UPDATE, DELETE ON ${TABLE} TO vitrine_system`)
  if ((await copyIn(client, copied, rows)) === 0) await client.query('ROLLBACK TO SAVEPOINT before_old_jobs')
}

/** Whether the table of old jobs exists. */
async function hasOldJobs(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) AS found', [TABLE])
  return rows[0].found !== null
}

export async function hasRowsOfOldJobs(client: pg.Client): Promise<boolean> {
  return (await hasOldJobs(client)) && (await client.query(`SELECT 1 FROM ${TABLE} LIMIT 1`)).rows.length > 0
}
