import { beforeEach, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { GET as getReady } from '../../app/health/ready/route.ts'
import { GET as getStatus } from '../../app/health/status/route.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { alarmSilentWorkers } from '../../lib/records/alarms/silent-workers.ts'

const worker = systemContext('test')
beforeEach(() => worker.db.worker.deleteMany())

/** A worker that started an hour ago and was seen so many seconds ago by PostgreSQL's clock. */
async function makeWorker({ seenSecondsAgo = 0, startedSecondsAgo = 3600, stopped = false } = {}): Promise<string> {
  const id = newId()
  await worker.sql(Prisma.sql`
    INSERT INTO workers (id, started_at, seen_at, stopped_at)
    SELECT ${id}::uuid, clock_timestamp() - make_interval(secs => ${startedSecondsAgo}), seen, CASE WHEN ${stopped} THEN seen END
    FROM (SELECT clock_timestamp() - make_interval(secs => ${seenSecondsAgo}) AS seen) s`)
  return id
}
const see = (id: string) =>
  worker.sql(Prisma.sql`UPDATE workers SET seen_at = clock_timestamp() WHERE id = ${id}::uuid`)

const alarmsOf = (subject: string) =>
  worker.db.alarm.findMany({
    where: { kind: 'worker_silent', subject },
    select: { resolvedAt: true, organizationId: true },
  })

const readHealth = async () => {
  env.HEALTH_KEY = 'a-key-for-the-health-of-this-test'
  const headers = { authorization: `Bearer ${env.HEALTH_KEY}` }
  const status = await getStatus(new Request('http://localhost/health/status', { headers }))
  const { worker: told } = (await status.json()) as { worker: object }
  return { ready: (await getReady()).status, worker: told }
}

test('a worker that was not seen for a minute raises one alarm, which ends when it runs again', async () => {
  const id = await makeWorker({ seenSecondsAgo: 60 })
  await Promise.all([alarmSilentWorkers(worker), alarmSilentWorkers(worker)])
  await alarmSilentWorkers(worker)
  expect(await alarmsOf(id)).toEqual([{ resolvedAt: null, organizationId: null }])
  await see(id)
  await alarmSilentWorkers(worker)
  expect(await alarmsOf(id)).toEqual([{ resolvedAt: expect.any(Date), organizationId: null }])
})

test('a worker that hangs is silent although another one runs, until another one is started', async () => {
  await makeWorker()
  const id = await makeWorker({ seenSecondsAgo: 60 })
  await alarmSilentWorkers(worker)
  expect(await alarmsOf(id)).toEqual([expect.objectContaining({ resolvedAt: null })])
  await makeWorker({ startedSecondsAgo: 0 })
  await alarmSilentWorkers(worker)
  expect(await alarmsOf(id)).toEqual([expect.objectContaining({ resolvedAt: expect.any(Date) })])
})

test('a worker that was stopped raises no alarm', async () => {
  const id = await makeWorker({ seenSecondsAgo: 60, stopped: true })
  await alarmSilentWorkers(worker)
  expect(await alarmsOf(id)).toEqual([])
})

test('the status tells of silent workers, and the web process stays ready', async () => {
  expect(await readHealth()).toEqual({ ready: 200, worker: { up: false, last_seen_seconds: null, silent: 0 } })
  await makeWorker({ seenSecondsAgo: 90 })
  const silent = await readHealth()
  expect(silent).toMatchObject({ ready: 200, worker: { up: false, silent: 1 } })
  expect((silent.worker as { last_seen_seconds: number }).last_seen_seconds).toBeGreaterThanOrEqual(90)
  await makeWorker()
  expect((await readHealth()).worker).toMatchObject({ up: true, silent: 1 })
})
