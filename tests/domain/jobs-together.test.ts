import { expect, onTestFinished, test } from 'vitest'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { sendMail } from '../../lib/platform/jobs/jobs.ts'
import { enqueueAll } from '../../lib/platform/jobs/queue.ts'
import { runJobs } from '../../lib/worker/run-jobs.ts'
import { until } from '../support/until.ts'

test('waiting jobs are taken several at a time, and one that fails is tried again without the others', async () => {
  const ids = Array.from({ length: 64 }, newId)
  const noMail = ids.map((id) => ({ payload: { message_id: id }, key: id }))
  const failing = newId()
  await enqueueAll(workerContext('test'), sendMail, [
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
