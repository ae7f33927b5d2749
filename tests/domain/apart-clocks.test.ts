import { beforeEach, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { alarmApartClocks } from '../../lib/records/alarms/apart-clocks.ts'

const worker = systemContext('test')
beforeEach(async () => {
  await worker.db.processClock.deleteMany()
  await worker.db.alarm.deleteMany({ where: { kind: 'clock_apart' } })
})

/** A process of a host whose clock is so far ahead of PostgreSQL's, measured so many seconds ago. */
const measure = (host: string, aheadSeconds: number, secondsAgo = 0) =>
  worker.sql(Prisma.sql`
    INSERT INTO process_clocks (id, host, ahead_ms, measured_at)
    VALUES (${newId()}::uuid, ${host}, ${aheadSeconds * 1000}, clock_timestamp() - make_interval(secs => ${secondsAgo}))`)

/** The open alarms that a look raises or leaves. */
async function look(): Promise<{ subject: string; detail: string }[]> {
  await alarmApartClocks(worker)
  return worker.db.alarm.findMany({
    where: { kind: 'clock_apart', resolvedAt: null },
    orderBy: { subject: 'asc' },
    select: { subject: true, detail: true },
  })
}

test('a host whose clock is more than five seconds apart is named, until it isn’t any more', async () => {
  await measure('web-1', 4)
  await measure('worker-1', -7200)
  await look()
  expect(await look()).toEqual([{ subject: 'worker-1', detail: expect.stringContaining('worker-1') }])
  await measure('worker-1', 0)
  expect(await look()).toEqual([])
})

test('where all hosts are apart by the same, the database server is named', async () => {
  await measure('web-1', 7200)
  await measure('worker-1', 7202)
  const [alarm, ...others] = await look()
  expect([alarm!.subject, others]).toEqual(['database server', []])
  expect(alarm!.detail).toMatch(/web-1 and worker-1 differ alike.* database server’s clock/)
})

test('hosts that are apart by different times are named themselves', async () => {
  await measure('web-1', 7200)
  await measure('worker-1', -60)
  expect((await look()).map(({ subject }) => subject)).toEqual(['web-1', 'worker-1'])
})

test('the clock of a process that ended is forgotten', async () => {
  await measure('worker-1', 7200, 600)
  expect(await look()).toEqual([])
  expect(await worker.db.processClock.count()).toBe(0)
})
