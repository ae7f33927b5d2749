import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { JOBS } from '../../lib/platform/jobs/jobs.ts'
import { TIMERS } from '../../lib/worker/timers.ts'
import { leaveDisagreements } from '../support/verify-file.ts'
import { ANSWER_ROWS } from '../support/worst-inputs/answers.ts'
import { JOB_ROWS, PICTURE_ROWS } from '../support/worst-inputs/jobs.ts'
import { leastOf, MAX_MB, MAX_TURN_MS } from '../support/worst-inputs/measure.ts'
import { METADATA_ROWS } from '../support/worst-inputs/metadata.ts'
import { makeWorld } from '../support/worst-inputs/world.ts'

leaveDisagreements('Items, claims and files are written without what belongs to them.')
beforeAll(makeWorld)

test.each([...JOB_ROWS, ...METADATA_ROWS, ...ANSWER_ROWS])(
  '%s: the loop is held for at most 100 ms, and the process grows by at most 100 MB, by %s',
  async (...row) => {
    const least = await leastOf(row[2])
    expect(least.ms).toBeLessThanOrEqual(MAX_TURN_MS)
    expect(least.mb).toBeLessThanOrEqual(MAX_MB)
  },
)

test.each(PICTURE_ROWS)('%s: the loop is held for at most 100 ms by %s', async (...row) => {
  expect((await leastOf(row[2], Number.POSITIVE_INFINITY)).ms).toBeLessThanOrEqual(MAX_TURN_MS)
})

/** What reads no more of a row than ids, states, times, amounts and a title: whatever tenants wrote, that is small. */
const SMALL = [
  // jobs
  'send-mail',
  'mail-sign-in',
  'settle-purchase',
  'refund-payment',
  'process-card-event',
  'tell-report',
  // timers that read one row after the other
  'expire claims',
  'remind claims',
  'expire vouchers',
  'expire transfers',
  'settle escrows',
  'built-in card provider',
  'reconcile open payments',
  'list card payments',
  'reconcile pending card accounts',
  'reconcile everything paid',
  'start and end listings',
  'expire purchases',
  'settle purchases',
  'return unopened',
  'lift locks',
  'check web domains',
  'tell alarms',
  'mail alarms',
  'post alarms to the operator',
  // timers whose work is PostgreSQL's
  'take old jobs',
  'take lost old jobs',
  'finish deletions',
  'mark metadata',
  'take snapshots',
  'fold figures',
  'end tries',
  'delete old rows',
  'delete old lines of imports',
  'wipe old mail',
  'fold counts',
  'fold sums of collections',
  // what reads the installation's own state
  'notice database server',
  'check operators',
  'check voucher keys',
  'end alarms about server keys',
  'check chunk ranges',
]

test('each job and timer of the worker is measured here, or known to read little', () => {
  const source = readFileSync(new URL('../../lib/worker/start.ts', import.meta.url), 'utf8')
  const leased = [...source.matchAll(/doDueWork\(\s*'([^']+)'/g)].map(([, name]) => name!)
  // Jobs are named one by one.
  const names = [
    ...leased.filter((name) => name !== 'jobs'),
    ...JOBS.map(({ name }) => name),
    ...TIMERS.map(({ name }) => name),
  ]
  const measured = [...JOB_ROWS, ...METADATA_ROWS, ...PICTURE_ROWS].flatMap(([jobs]) => jobs)
  expect(leased).toHaveLength(5)
  expect(names.filter((name) => !measured.includes(name) && !SMALL.includes(name))).toEqual([])
  expect(SMALL.filter((name) => !names.includes(name) || measured.includes(name))).toEqual([])
})
