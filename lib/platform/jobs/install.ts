import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { ownerOptions } from '../../db/session.ts'
import { JOBS } from './jobs.ts'
import { BOSS_SCHEMA } from './queue.ts'

/** Creates or updates pg-boss's tables and queues as the database's owner, and grants our roles access. Idempotent. */
export async function installJobs(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    options: ownerOptions(),
    schema: BOSS_SCHEMA,
    supervise: false,
    schedule: false,
    max: 2,
  })
  await boss.start()
  for (const job of JOBS) {
    const options = {
      policy: 'short',
      retryLimit: job.retries,
      retryDelay: job.firstDelaySeconds,
      retryDelayMax: job.maxDelaySeconds,
      retryBackoff: true,
      heartbeatSeconds: 10,
      expireInSeconds: 600,
      retentionSeconds: 14 * 86_400,
      deleteAfterSeconds: 7 * 86_400,
    }
    if (await boss.getQueue(job.name)) {
      const { policy: _fixed, ...changeable } = options
      await boss.updateQueue(job.name, changeable)
    } else await boss.createQueue(job.name, options)
  }
  await boss.stop({ graceful: false })
  const client = new pg.Client({ connectionString: databaseUrl, options: ownerOptions() })
  await client.connect()
  try {
    await client.query('BEGIN')
    // Two grants on one table at once would fail.
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('vitrine jobs', 0))`)
    await client.query(`GRANT USAGE ON SCHEMA ${BOSS_SCHEMA} TO vitrine_system, vitrine_app`)
    await client.query(`REVOKE CREATE ON SCHEMA ${BOSS_SCHEMA} FROM vitrine_system`)
    await client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${BOSS_SCHEMA} FROM vitrine_system`)
    await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${BOSS_SCHEMA} TO vitrine_system`)
    await client.query(`GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA ${BOSS_SCHEMA} TO vitrine_app`)
    await client.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${BOSS_SCHEMA} TO vitrine_system, vitrine_app`)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}
