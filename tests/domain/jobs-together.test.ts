import { expect, onTestFinished, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { sendMail, storeItemImage } from '../../lib/platform/jobs/jobs.ts'
import { enqueueAll } from '../../lib/platform/jobs/queue.ts'
import { FetchRefused } from '../../lib/ports/storage/storage.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { runJobs } from '../../lib/worker/run-jobs.ts'
import { makeItem } from '../support/claims.ts'
import { makeOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'

test('waiting jobs are taken several at a time, and one that fails is tried again without the others', async () => {
  const ids = Array.from({ length: 64 }, newId)
  const noMail = ids.map((id) => ({ payload: { message_id: id }, key: id }))
  const failing = newId()
  await enqueueAll(systemContext('test'), sendMail, [
    ...noMail.slice(0, 3),
    { payload: { message_id: 'no id' }, key: failing },
    ...noMail.slice(3),
  ])
  const jobs = await runJobs()
  onTestFinished(() => jobs.stop())
  const rows = () =>
    systemClient().$queryRaw<{ key: string; state: string; retries: number; started: Date }[]>`
      SELECT singleton_key AS key, state::text AS state, retry_count AS retries, started_on AS started FROM pgboss.job WHERE name = 'send-mail'`
  const done = await until('The last job', async () => {
    const all = await rows()
    const isTried = all.some(({ key, state, retries }) => key === failing && (state === 'retry' || retries > 0))
    return isTried && all.filter(({ state }) => state === 'completed').length === ids.length && all
  })
  const completed = done.filter(({ state }) => state === 'completed')
  expect(completed.map(({ key, retries }) => [key, retries]).sort()).toEqual(ids.map((id) => [id, 0]).sort())
  expect(new Set(completed.map(({ started }) => started.getTime())).size).toBeLessThanOrEqual(16)
})

test('of jobs that hold a file in memory no more than four are in work at once', async () => {
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
  const requests = Array.from({ length: 12 }, () => ({
    payload: { organization_id: organization.id, item_id: itemId, source },
    key: newId(),
  }))
  await enqueueAll(systemContext('test'), storeItemImage, requests)
  const jobs = await runJobs()
  onTestFinished(() => jobs.stop())
  const inState = async (state: string) => {
    const [row] = await systemClient().$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM pgboss.job WHERE name = ${storeItemImage.name} AND state::text = ${state}`
    return Number(row!.count)
  }
  await until('The first fetches', () => Promise.resolve(fetching >= 4))
  expect(await inState('active')).toBe(4)
  mayEnd.resolve()
  await until('The last job', async () => (await inState('completed')) === requests.length)
})
