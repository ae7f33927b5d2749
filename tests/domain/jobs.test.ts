import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { connectionsOf, systemClient } from '../../lib/db/client.ts'
import { runAlone } from '../../lib/db/statements.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { endJob, failJob, leaseJobs, renewLease } from '../../lib/platform/jobs/lease-jobs.ts'
import { JOBS, pinMedia, sendMail, storeItemImage, tellReport } from '../../lib/platform/jobs/jobs.ts'
import { enqueue, enqueueAll, enqueueCall } from '../../lib/platform/jobs/queue.ts'
import { takeOldJobs } from '../../lib/platform/jobs/take-old-jobs.ts'
import { FetchRefused } from '../../lib/ports/storage/storage.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { openJobs } from '../../lib/worker/run-jobs.ts'
import { asOwner } from '../support/as-owner.ts'
import { makeItem } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'
import { readStatistic } from '../support/statistics.ts'
import { until } from '../support/until.ts'

const worker = systemContext('test')
const jobs = () => systemClient().job.findMany({ orderBy: [{ dueAt: 'asc' }, { id: 'asc' }] })
const nobody = { busy: new Map<string, number>() }
const lease = (most = 9) => leaseJobs(worker, [{ ...sendMail, most }], nobody)
const makeDue = () => systemClient().job.updateMany({ data: { dueAt: new Date(0) } })
const noMail = () => ({ message_id: newId() })

beforeEach(() => systemClient().job.deleteMany())

test('a job exists when its cause is committed, and not when it is rolled back', async () => {
  const { ctx } = await makeOrganization()
  const refused = inTransaction(ctx, async (tx) => {
    await enqueue(tx, sendMail, noMail())
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  expect(await jobs()).toEqual([])
  const payload = noMail()
  await inTransaction(ctx, (tx) => enqueue(tx, sendMail, payload, { key: 'a' }))
  expect(await jobs()).toMatchObject([{ name: 'send-mail', key: 'a', payload, requestId: ctx.requestId, tries: 0 }])
})

test('the statements of a request add jobs, too', async () => {
  const [payload, startAfter] = [noMail(), new Date(0)]
  const add = enqueueCall({ requestId: 'r' }, sendMail, [{ payload, key: '"a"', startAfter }, { payload: noMail() }])
  await runAlone(connectionsOf('vitrine_app'), [add, add])
  expect(await jobs()).toMatchObject([
    { key: '"a"', payload, dueAt: startAfter, requestId: 'r' },
    { key: null, requestId: 'r' },
    { key: null },
  ])
})

test('of a name and key one job waits, and another is added once it was taken', async () => {
  const add = () => enqueue(worker, sendMail, noMail(), { key: 'a' })
  await Promise.all([add(), add(), add()])
  await enqueueAll(worker, sendMail, [
    { payload: noMail(), key: 'a' },
    { payload: noMail(), key: 'b' },
    { payload: noMail(), key: 'b' },
  ])
  await enqueue(worker, tellReport, { report_id: newId() }, { key: 'a' })
  expect((await jobs()).map(({ name, key }) => `${name} ${key}`).toSorted()).toEqual([
    'send-mail a',
    'send-mail b',
    'tell-report a',
  ])
  expect(await lease()).toHaveLength(2)
  await add()
  expect(await lease()).toHaveLength(1)
})

test('a waiting job is not taken before a second cause of it can be seen', async () => {
  const { ctx } = await makeOrganization()
  await enqueue(ctx, sendMail, noMail(), { key: 'a', startAfter: new Date(0) })
  await inTransaction(ctx, async (tx) => {
    await enqueue(tx, sendMail, noMail(), { key: 'a' })
    await tx.db.item.count()
    expect(await lease()).toEqual([])
  })
  expect(await lease()).toHaveLength(1)
})

test('a new installation has nothing of earlier releases’ jobs', async () => {
  expect(await systemClient().$queryRaw`SELECT to_regnamespace('pgboss')::text AS schema`).toEqual([{ schema: null }])
  expect(await takeOldJobs(worker)).toBe(0)
})

test('requests add jobs, and neither read, change nor delete one', async () => {
  const { ctx } = await makeOrganization()
  await enqueue(ctx, sendMail, noMail())
  const asRequest = (statement: string) => ctx.sql(Prisma.raw(statement))
  for (const statement of ['SELECT id FROM jobs', 'UPDATE jobs SET due_at = now()', 'DELETE FROM jobs'])
    await expect(asRequest(statement)).rejects.toThrow(/permission denied/)
})

test('a job is done at its time, and not before', async () => {
  await enqueue(worker, sendMail, noMail(), { startAfter: new Date(Date.now() + 3_600_000) })
  expect(await lease()).toEqual([])
  await makeDue()
  expect(await lease()).toHaveLength(1)
})

test('two workers that look at once share what is due, and a job that is done leaves nothing', async () => {
  await enqueueAll(
    worker,
    sendMail,
    Array.from({ length: 6 }, () => ({ payload: noMail() })),
  )
  const leased = (await Promise.all([lease(4), lease(4)])).flat()
  leased.push(...(await lease()))
  expect(new Set(leased.map(({ id }) => id)).size).toBe(6)
  await Promise.all(leased.map((job) => endJob(worker, job)))
  expect(await jobs()).toEqual([])
})

test('a job whose worker ended is taken by another, and the first one can’t end it any more', async () => {
  await enqueue(worker, sendMail, noMail())
  const [first] = await lease()
  expect(await lease()).toEqual([])
  await renewLease(worker, first!)
  const [{ dueAt } = { dueAt: new Date(0) }] = await jobs()
  expect(dueAt.getTime() - Date.now()).toBeGreaterThan(5_000)
  await makeDue()
  const [second] = await lease()
  expect(second!.id).toBe(first!.id)
  await endJob(worker, first!)
  await failJob(worker, first!, sendMail, 'too late')
  await renewLease(worker, first!)
  expect(await jobs()).toMatchObject([{ lease: second!.lease, tries: 1, lastError: 'Its worker ended.' }])
  await endJob(worker, second!)
  expect(await jobs()).toEqual([])
})

test('a job fails for good after its last try, by an error or by the end of its worker, and is kept', async () => {
  const few = { ...sendMail, retries: 2 }
  await enqueueAll(worker, few, [{ payload: noMail() }, { payload: noMail() }])
  const leaseFew = () => leaseJobs(worker, [{ ...few, most: 9 }], nobody)
  for (let tries = 1; tries <= 3; tries++) {
    await makeDue()
    const [failing, lost] = (await leaseFew()).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect([failing!.failed, lost!.failed]).toEqual([false, false])
    expect(await failJob(worker, failing!, few, 'no luck')).toBe(tries === 3)
  }
  await makeDue()
  expect(await leaseFew()).toMatchObject([{ failed: true }])
  await makeDue()
  expect(await leaseFew()).toEqual([])
  const kept = (await jobs()).map(({ tries, lastError, lease: by }) => [tries, lastError, by])
  expect(kept.toSorted()).toEqual([
    [3, 'Its worker ended.', null],
    [3, 'no luck', null],
  ])
})

test('pauses between the tries of a job grow up to the longest of its kind', async () => {
  await enqueue(worker, sendMail, noMail())
  const waits: number[] = []
  for (let tries = 1; tries <= 14; tries++) {
    await makeDue()
    const [job] = await lease()
    await failJob(worker, job!, sendMail, 'no luck')
    waits.push(((await jobs())[0]!.dueAt.getTime() - Date.now()) / 1000)
  }
  for (const [at, seconds] of waits.entries()) {
    expect(seconds).toBeGreaterThan(Math.min(3600, 2 * 2 ** at) - 2)
    expect(seconds).toBeLessThan(Math.min(3600, 4 * 2 ** at) + 2)
  }
})

test('waiting jobs are done together, and one that fails is tried again without the others', async () => {
  const failing = newId()
  await enqueueAll(worker, sendMail, [
    ...Array.from({ length: 64 }, () => ({ payload: noMail() })),
    { payload: { message_id: 'no id' }, key: failing },
  ])
  const work = openJobs(() => worker)
  const counts: number[] = []
  for (let begun = 1; begun > 0; await work.idle()) counts.push((begun = await work.begin()))
  expect(counts).toEqual([32, 32, 1, 0])
  expect(await jobs()).toMatchObject([{ key: failing, tries: 1, lease: null, failedAt: null }])
})

test('of jobs that hold a file no more than four are done at once, and those of other kinds meanwhile', async () => {
  const organization = await makeOrganization()
  const { itemId } = await makeItem(organization, { locked: false })
  const source = 'https://images.example/large.png'
  await systemClient().item.update({ where: { id: itemId }, data: { attributes: { image_url: source } } })
  const { fetcher } = ports()
  onTestFinished(() => replacePorts({ fetcher }))
  let fetching = 0
  const mayEnd = Promise.withResolvers<void>()
  const fetchImage = async () => {
    fetching++
    await mayEnd.promise
    throw new FetchRefused('There is no image.')
  }
  replacePorts({ fetcher: { ...fetcher, fetchImage } })
  const images = Array.from({ length: 12 }, () => ({
    payload: { organization_id: organization.id, item_id: itemId, source },
    key: newId(),
  }))
  await enqueueAll(worker, storeItemImage, images)
  await enqueue(worker, sendMail, noMail())
  await enqueue(worker, pinMedia, { organization_id: organization.id, media_id: newId() })
  const work = openJobs(() => worker)
  expect(await work.begin()).toBe(6)
  await until('The end of the others', async () => (await jobs()).length === images.length)
  await until('The first fetches', () => fetching === 4)
  expect(await work.begin()).toBe(0)
  mayEnd.resolve()
  await work.idle()
  while ((await work.begin()) > 0) await work.idle()
  expect([fetching, await jobs()]).toEqual([12, []])
})

const PAGES_READ = `SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read AS value FROM pg_statio_user_tables WHERE relname = 'jobs'`

test('a look for due jobs reads a few pages, also while a hundred thousand of one kind wait', async () => {
  await systemClient().$executeRaw`
    INSERT INTO jobs (name, key, payload, due_at)
    SELECT 'send-mail', n::text, jsonb_build_object('message_id', gen_random_uuid()), now() - n * interval '1 second' FROM generate_series(1, 100000) n`
  await enqueue(worker, tellReport, { report_id: newId() })
  await asOwner('ANALYZE jobs')
  const kinds = JOBS.map((job) => ({ ...job, most: 4 }))
  const before = await readStatistic(PAGES_READ)
  const leased = await leaseJobs(systemContext('test'), kinds, nobody)
  expect(leased.map(({ name }) => name).toSorted()).toEqual([...Array(4).fill(sendMail.name), tellReport.name])
  expect((await readStatistic(PAGES_READ)) - before).toBeLessThan(500)
})
