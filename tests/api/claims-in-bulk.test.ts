import { beforeAll, expect, test } from 'vitest'
import { suspend } from '../../lib/data/abuse/suspend.ts'
import { newId } from '../../lib/core/id.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

const PATH = '/v1/email-claims/bulk'
let mine: TestOrganization
beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
})

const line = (item_id: string, more: object = {}) => ({ email: `${newId()}@example.com`, item_id, ...more })
const send = (claims: object[], headers: Record<string, string> = {}) =>
  call('POST', PATH, { key: mine.key, body: { claims }, headers })
type Result = { index: number; status: number; claim: { item_id: string } | null; problem: { code: string } | null }
const verdictsOf = ({ body }: { body: any }) =>
  (body.results as Result[]).map(({ index, status, claim, problem }) => [
    index,
    status,
    claim?.item_id ?? problem?.code,
  ])

test('each claim has a verdict of its own, and the good ones are made as a single one is', async () => {
  const foreign = await makeItem(await makeOrganization())
  const [one, unlocked, stopped] = [await makeItem(mine), await makeItem(mine, { locked: false }), await makeItem(mine)]
  const live = await makeRows(mine, 'LIVE') // which a TEST key leaves alone
  const place = { organizationId: mine.id, collectionId: stopped.collectionId }
  await suspend(systemContext('test'), place, 'Reported.')
  const { itemIds } = await makePool(mine, 2)
  const answer = await send([
    line(one.itemId),
    line(one.itemId),
    line(unlocked.itemId),
    line(stopped.itemId),
    line(foreign.itemId),
    line(itemIds[0]!, { quantity: 2 }),
    line(live.item_id!),
    line(itemIds[1]!),
  ])
  expect(answer.status).toBe(200)
  expect(verdictsOf(answer)).toEqual([
    [0, 201, one.itemId],
    [1, 409, 'sold_out'],
    [2, 409, 'item_not_locked'],
    [3, 403, 'suspended'],
    [4, 404, 'not_found'],
    [5, 422, 'supply_invalid'],
    [6, 422, 'mode_mismatch'],
    [7, 201, itemIds[1]],
  ])
  const { claim } = answer.body.results[0]
  const shown = (await callerOf(mine.key).get(`/v1/email-claims/${claim.id}`)).body
  expect(shown).toMatchObject(claim)
  expect(shown.mails).toHaveLength(1)
  const audits = { where: { action: 'email_claim.created', subjectId: claim.id as string } }
  expect(await mine.ctx.db.auditEntry.count(audits)).toBe(1)
})

test('repeated with its Idempotency-Key it gives the same verdicts and makes nothing', async () => {
  const { itemIds } = await makePool(mine, 3)
  const claims = itemIds.map((id) => line(id))
  const headers = { 'idempotency-key': newId() }
  const first = await send(claims, headers)
  const again = await send(claims, headers)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(again.body).toEqual(first.body)
  expect(await mine.ctx.db.emailClaim.count({ where: { itemId: { in: itemIds } } })).toBe(3)
})

test('500 claims take as many round trips as one; 501, none and a malformed one are refused', async () => {
  const { itemIds } = await makePool(mine, 501)
  const one = await countRoundTrips(() => send([line(itemIds[500]!)]))
  const many = await countRoundTrips(() => send(itemIds.slice(0, 500).map((id) => line(id))))
  expect(many.result.body.results.every(({ status }: Result) => status === 201)).toBe(true)
  expect(many.roundTrips.length).toBe(one.roundTrips.length)
  for (const claims of [[], Array.from({ length: 501 }, () => line(itemIds[0]!)), [line(itemIds[0]!, { email: 'x' })]])
    expect((await send(claims)).body.code).toBe('invalid_request')
})
