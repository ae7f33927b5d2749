import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { expireClaims } from '../../lib/giving/expire-claims.ts'
import { endTries } from '../../lib/data/retention/end-tries.ts'
import { recordFailure, type TaskKind } from '../../lib/platform/jobs/row-tries.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { refuseUpdates } from '../support/as-owner.ts'

const HOUR_MS = 3_600_000
const worker = systemContext('test')
let organization: TestOrganization

beforeAll(installFakeChain)
beforeEach(async () => {
  resetClock()
  organization = await makeOrganization()
})
afterEach(async () => {
  resetClock()
  await organization.ctx.db.emailClaim.deleteMany()
})

/** Expired claims, the oldest first. */
async function makeExpiredClaims(emails: readonly string[]): Promise<string[]> {
  const { itemId, collectionId } = await makeItem(organization)
  const ids = emails.map(() => newId())
  await organization.ctx.db.emailClaim.createMany({
    data: emails.map((email, at) => ({
      id: ids[at]!,
      organizationId: organization.id,
      collectionId,
      itemId,
      email,
      quantity: 1n,
      txPayer: 'SELLER' as const,
      expiresAt: new Date(Date.now() - HOUR_MS + at),
    })),
  })
  return ids
}
const stateOf = async (id: string) =>
  (await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { id }, select: { state: true } })).state

test('600 failing claims that are due first don’t keep the 601st from expiring', async () => {
  const ids = await makeExpiredClaims([...Array.from({ length: 600 }, () => 'bad@example.com'), 'good@example.com'])
  const permit = await refuseUpdates('email_claims', "OLD.email = 'bad@example.com'")
  for (let round = 0; round < 8 && (await stateOf(ids.at(-1)!)) === 'OPEN'; round++) await expireClaims(worker)
  expect(await stateOf(ids.at(-1)!)).toBe('EXPIRED')
  expect(await stateOf(ids[0]!)).toBe('OPEN')
  await permit()
}, 300_000)

test('a failing row is tried again with growing pauses; an alarm is raised after five tries and ends when it succeeds', async () => {
  const [id] = (await makeExpiredClaims(['bad@example.com'])) as [string]
  const permit = await refuseUpdates('email_claims', "OLD.email = 'bad@example.com'")
  const tries = async () =>
    (await worker.db.rowTry.findUnique({ where: { kind_rowId: { kind: 'expire claims', rowId: id } } }))?.attempts ?? 0
  const alarms = () =>
    organization.ctx.db.alarm.count({
      where: { kind: 'row_stuck', subject: `expire claims ${id}`, resolvedAt: null },
    })
  await expireClaims(worker)
  await expireClaims(worker)
  expect(await tries()).toBe(1)
  moveClock(6_000)
  await expireClaims(worker)
  moveClock(6_000)
  await expireClaims(worker)
  expect(await tries()).toBe(2)
  for (let more = 0; more < 2; more++) {
    moveClock(HOUR_MS)
    await expireClaims(worker)
  }
  expect(await alarms()).toBe(0)
  moveClock(HOUR_MS)
  await expireClaims(worker)
  expect([await tries(), await alarms()]).toEqual([5, 1])
  await permit()
  moveClock(HOUR_MS)
  await expireClaims(worker)
  expect([await stateOf(id), await tries(), await alarms()]).toEqual(['EXPIRED', 0, 0])
})

describe('the alarm about a row that a task can’t process', () => {
  const alarmsOf = async (subjects: readonly string[]) =>
    (await worker.db.alarm.findMany({ where: { subject: { in: [...subjects] }, resolvedAt: null } })).map(
      ({ subject }) => subject,
    )

  test('ends when the row was done in another way, and stays while the row waits', async () => {
    const ids = await makeExpiredClaims(['done@example.com', 'waits@example.com'])
    const permit = await refuseUpdates('email_claims', 'true')
    for (let tries = 0; tries < 5; tries++) {
      await expireClaims(worker)
      moveClock(HOUR_MS)
    }
    await permit()
    const [done, waits] = ids.map((id) => `expire claims ${id}`) as [string, string]
    await endTries(worker)
    expect((await alarmsOf([done, waits])).toSorted()).toEqual([done, waits].toSorted())
    await organization.ctx.db.emailClaim.updateMany({ where: { id: ids[0]! }, data: { state: 'REVOKED' } })
    await endTries(worker)
    expect(await alarmsOf([done, waits])).toEqual([waits])
    expect(await worker.db.rowTry.findMany({ where: { rowId: { in: ids } } })).toMatchObject([{ rowId: ids[1] }])
  })

  test('ends for a row that is gone, whatever its id, and for a task that isn’t one any more', async () => {
    const rows = [
      ['process card events', 'evt_1'],
      ['expire vouchers', 'no UUID'],
      ['settle escrows', newId()],
      ['a task of an earlier release', newId()],
    ] as [TaskKind, string][]
    for (const [kind, id] of rows)
      await recordFailure(worker, kind, { id, organizationId: null }, { earlier: 4, error: 'x' })
    const subjects = rows.map((row) => row.join(' '))
    expect(await alarmsOf(subjects)).toHaveLength(4)
    await endTries(worker)
    expect(await alarmsOf(subjects), 'before the next try').toHaveLength(4)
    moveClock(HOUR_MS)
    await endTries(worker)
    expect(await alarmsOf(subjects)).toEqual([])
  })
})

test('an import that fails doesn’t stop the imports after it', async () => {
  const makeImport = async (startedAt: number) => {
    const row = await organization.ctx.db.import.create({
      data: {
        id: newId(),
        organizationId: organization.id,
        kind: 'ITEMS',
        state: 'RUNNING',
        options: {},
        rowCount: 0,
        okCount: 0,
        duplicateCount: 0,
        invalidCount: 0,
        startedAt: new Date(startedAt),
      },
    })
    return row.id
  }
  const [bad, good] = [await makeImport(1), await makeImport(2)]
  const permit = await refuseUpdates('imports', `OLD.id = '${bad}'`)
  await runImports(worker)
  const states = async () =>
    (await organization.ctx.db.import.findMany({ orderBy: { startedAt: 'asc' } })).map(({ state }) => state)
  expect(await states()).toEqual(['RUNNING', 'COMPLETED'])
  await permit()
  moveClock(HOUR_MS)
  await runImports(worker)
  expect([await states(), good]).toEqual([['COMPLETED', 'COMPLETED'], good])
})
