import pg from 'pg'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { loginUrl } from '../../lib/db/logins.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { sendMail, tellReport } from '../../lib/platform/jobs/jobs.ts'
import { enqueue } from '../../lib/platform/jobs/queue.ts'
import { takeLostOldJobs, takeOldJobs } from '../../lib/platform/jobs/take-old-jobs.ts'
import { asOwner } from '../support/as-owner.ts'
import { putBackupBack, takeBackup } from '../support/backup.ts'
import { OLD_JOBS } from '../support/release-fixtures.ts'

const worker = systemContext('test')

/** What release 0.1.0 and its library did at `npm run migrate`. */
beforeAll(async () => {
  const names = [sendMail.name, tellReport.name, 'not-known']
  const options = '{"policy": "short", "heartbeatSeconds": 10}'
  await asOwner([OLD_JOBS, ...names.map((name) => `SELECT pgboss.create_queue('${name}', '${options}')`)].join(';\n'))
})

beforeEach(() => asOwner('DELETE FROM pgboss.job; DELETE FROM jobs'))

type Old = { name?: string; key: string; state?: string; more?: string }

/** Adds a job as a process of release 0.1.0 does. */
const addOld = async (
  client: Pick<pg.Client, 'query'>,
  { name = sendMail.name, key, state = 'created', more }: Old,
) => {
  const data = { message_id: newId(), request_id: `request ${key}` }
  await client.query(
    `INSERT INTO pgboss.job (name, data, singleton_key, policy, heartbeat_seconds, retry_limit, state)
     VALUES ($1, $2, $3, 'short', 10, 100, $4::pgboss.job_state) ON CONFLICT DO NOTHING`,
    [name, data, key, state],
  )
  if (more) await client.query(`UPDATE pgboss.job SET ${more} WHERE singleton_key = $1`, [key])
  return data
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: loginUrl(process.env.DATABASE_URL!, 'vitrine_system') })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const keysIn = async (table: 'jobs' | 'pgboss.job'): Promise<string[]> => {
  const column = table === 'jobs' ? 'key' : 'singleton_key'
  const rows = await systemClient().$queryRawUnsafe<{ key: string }[]>(`SELECT ${column} AS key FROM ${table}`)
  return rows.map(({ key }) => key).toSorted()
}

test('jobs that an earlier release left are moved once: those that wait and those whose worker ended', async () => {
  const old = await connect()
  const data = await addOld(old, { key: 'waits' })
  await addOld(old, { key: 'later', more: `start_after = now() + interval '1 hour'` })
  await addOld(old, { key: 'again', state: 'retry', more: 'retry_count = 2, started_on = now()' })
  await addOld(old, { key: 'runs', state: 'active', more: 'started_on = now(), heartbeat_on = now()' })
  const lost = `started_on = now() - interval '1 minute', heartbeat_on = now() - interval '11 seconds'`
  await addOld(old, { key: 'lost', state: 'active', more: lost })
  await addOld(old, { key: 'done', state: 'completed', more: 'completed_on = now()' })
  await addOld(old, { key: 'long done', state: 'completed', more: `completed_on = now() - interval '8 days'` })
  await addOld(old, { key: 'failed', state: 'failed', more: 'completed_on = now()' })
  await addOld(old, { key: 'unknown', name: 'not-known' })

  expect([await takeOldJobs(worker), await takeLostOldJobs(worker)]).toEqual([3, 1])
  expect([await takeOldJobs(worker), await takeLostOldJobs(worker)]).toEqual([0, 0])
  expect(await keysIn('pgboss.job')).toEqual(['done', 'failed', 'runs', 'unknown'])
  const moved = new Map((await systemClient().job.findMany()).map((job) => [job.key, job]))
  const { request_id: requestId, ...payload } = data
  expect(moved.get('waits')).toMatchObject({ name: 'send-mail', payload, requestId, tries: 0, takenAt: null })
  expect(moved.get('later')!.dueAt.getTime() - moved.get('waits')!.dueAt.getTime()).toBeGreaterThan(3_500_000)
  expect(moved.get('again')).toMatchObject({ tries: 3, takenAt: expect.any(Date), lease: null })
  expect(moved.get('lost')).toMatchObject({ tries: 1, takenAt: expect.any(Date), lease: null })
  expect(moved.size).toBe(4)
})

test('a job that waits under a key takes an earlier release’s job of that key in', async () => {
  await enqueue(worker, sendMail, { message_id: newId() }, { key: 'a' })
  const old = await connect()
  await addOld(old, { key: 'a' })
  await addOld(old, { key: 'a', name: tellReport.name })
  expect(await takeOldJobs(worker)).toBe(2)
  expect(await keysIn('jobs')).toEqual(['a', 'a'])
  expect(await keysIn('pgboss.job')).toEqual([])
})

test('while a worker of an earlier release takes jobs and others are added, each is taken by one release', async () => {
  const COUNT = 300
  const takenByOld: string[] = []
  let added = 0
  const adding = async () => {
    const client = await connect()
    for (; added < COUNT; added++) await addOld(client, { key: `job ${added}` })
  }
  const isOver = async () => added === COUNT && (await keysIn('pgboss.job')).length === takenByOld.length
  /** The statement with which the library took jobs. */
  const takeAsOld = async () => {
    const client = await connect()
    while (!(await isOver())) {
      const { rows } = await client.query<{ key: string }>(`
        WITH next AS (
          SELECT j.id FROM pgboss.job j WHERE j.name = 'send-mail' AND j.state < 'active' AND NOT j.blocked AND j.start_after < pgboss.job_now()
          ORDER BY j.priority DESC, j.created_on, j.id LIMIT 3 FOR UPDATE OF j SKIP LOCKED
        )
        UPDATE pgboss.job j SET state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now()
        FROM next WHERE j.name = 'send-mail' AND j.id = next.id RETURNING j.singleton_key AS key`)
      takenByOld.push(...rows.map(({ key }) => key))
    }
  }
  const takeAsNew = async () => {
    while (!(await isOver())) {
      await takeOldJobs(worker)
      await takeLostOldJobs(worker)
    }
  }
  await Promise.all([adding(), takeAsOld(), takeAsNew(), takeAsNew()])
  const takenByNew = await keysIn('jobs')
  expect([takenByOld.length > 0, takenByNew.length > 0]).toEqual([true, true])
  expect([...takenByOld, ...takenByNew].toSorted()).toEqual(
    Array.from({ length: COUNT }, (_, at) => `job ${at}`).toSorted(),
  )
})

test('jobs in the backup of an earlier release are done after the restore', async () => {
  const old = await connect()
  await addOld(old, { key: 'waits' })
  await addOld(old, { key: 'runs', state: 'active', more: 'started_on = now(), heartbeat_on = now()' })
  await addOld(old, { key: 'done', state: 'completed' })
  await old.end()
  await takeBackup()
  await putBackupBack()
  expect(await takeOldJobs(worker)).toBe(2)
  expect(await keysIn('jobs')).toEqual(['runs', 'waits'])
})
