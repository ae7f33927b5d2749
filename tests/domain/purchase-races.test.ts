import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { call, callerOf } from '../support/call.ts'
import { makeRandomAddress, installFakeChain } from '../support/claims.ts'
import { drainJobs } from '../support/jobs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { countDeadlocks } from '../support/statistics.ts'
import {
  makeBuyer,
  buy,
  connectCards,
  deliverCardEvents,
  FREE_PRICE,
  cancelPurchase,
  makeListing,
  pay,
  setPayoutAddress,
} from '../support/selling.ts'

vi.setConfig({ testTimeout: 600_000 })

let organization: TestOrganization
const editionOf = (units: number, more: object = {}) => ({
  item: { tokenType: 'ERC1155' as const, maxSupply: BigInt(units) },
  quantity_listed: units,
  ...more,
})
const expectConsistent = async () => expect(await verifyRecords(systemContext('test'))).toEqual([])

afterAll(async () => expect(await countDeadlocks()).toBe(0))

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
})

const outcomes = (answers: { status: number; body: any }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim())].map(([outcome, all]) => [
      outcome,
      all.length,
    ]),
  )

test('1,000 buyers at once for 100 units make 100 purchases, and 900 get sold_out', async () => {
  const listing = await makeListing(
    organization,
    editionOf(100, { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] }),
  )
  const answers = await Promise.all(
    Array.from({ length: 1000 }, () => buy(listing.id, { buyer: { eth_address: makeRandomAddress() } })),
  )
  expect(outcomes(answers)).toEqual({ '201': 100, '409 sold_out': 900 })
  await expectConsistent()
})

test('10,000 buyers of one unit make one purchase, and 9,999 get sold_out', async () => {
  const listing = await makeListing(organization)
  const answers: { status: number; body: any }[] = []
  const queue = Array.from({ length: 10_000 }, () => async () => void answers.push(await buy(listing.id)))
  await Promise.all(
    Array.from({ length: 500 }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await next()
    }),
  )
  expect(outcomes(answers)).toEqual({ '201': 1, '409 sold_out': 9_999 })
  await expectConsistent()
})

test('the same Idempotency-Key 1,000 times at once makes one purchase', async () => {
  const listing = await makeListing(organization, editionOf(1000))
  const headers = { 'idempotency-key': newId() }
  const body = { buyer: makeBuyer() }
  const answers = await Promise.all(Array.from({ length: 1000 }, () => buy(listing.id, body, headers)))
  expect(new Set(answers.filter(({ status }) => status === 201).map((answer) => answer.body.id)).size).toBe(1)
  expect(new Set(answers.filter(({ status }) => status !== 201).map((answer) => answer.body.code))).toEqual(
    new Set(['idempotency_in_flight']),
  )
  expect(await organization.ctx.db.purchaseIntent.count({ where: { listingId: listing.id } })).toBe(1)
  await expectConsistent()
})

test.each([
  ['address', () => ({ eth_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })],
  ['email', () => ({ email: 'Greedy@Example.com' })],
])(
  '200 tries at once by one buyer (%s) with max_per_user 2 make 2 purchases, and 198 get limit_reached',
  async (_, buyer) => {
    const listing = await makeListing(organization, editionOf(200, { policy: { max_per_user: 2 } }))
    const answers = await Promise.all(Array.from({ length: 200 }, () => buy(listing.id, { buyer: buyer() })))
    expect(outcomes(answers)).toEqual({ '201': 2, '409 limit_reached': 198 })
    await expectConsistent()
  },
)

test('one buyer’s voucher requested 50 times at once makes one purchase', async () => {
  await setPayoutAddress(organization)
  const listing = await makeListing(
    organization,
    editionOf(50, { price: 1000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }),
  )
  const buyer = { eth_address: makeRandomAddress() }
  const answers = await Promise.all(Array.from({ length: 50 }, () => buy(listing.id, { buyer })))
  expect(new Set(answers.map(({ body }) => body.data?.signature)).size).toBe(1)
  expect(await organization.ctx.db.purchaseIntent.count({ where: { listingId: listing.id } })).toBe(1)
  await expectConsistent()
})

/**
 * `npm run test:races` runs a thousand. In four batches each kind of buyer meets each way to pay or to give up twice.
 */
const RACES = Number(process.env.RACES ?? 100)
const RACES_PER_BATCH = 25

test('payment, failure and expiry at once, again and again: each purchase is either delivered or refunded', async () => {
  const listing = await makeListing(organization, editionOf(RACES))
  const runBatch = async (batch: number) => {
    const intents = await Promise.all(
      Array.from(
        { length: RACES_PER_BATCH },
        async (_, at) =>
          (await buy(listing.id, { buyer: at % 2 ? makeBuyer() : { eth_address: makeRandomAddress() } })).body,
      ),
    )
    await organization.ctx.db.purchaseIntent.updateMany({
      where: { id: { in: intents.map(({ id }) => id) } },
      data: { expiresAt: new Date(Date.now() - 1000) },
    })
    const buyerActions = [
      (intent: any) => pay(intent.data),
      (intent: any) => cancelPurchase(intent),
      (intent: any) => pay(intent.data, 'pm_card_chargeDeclined').then(() => pay(intent.data)),
      async (intent: any) => void (await Promise.all([cancelPurchase(intent), pay(intent.data)])),
    ]
    const ofBuyers = intents.map((intent, at) => () => buyerActions[(at + batch) % buyerActions.length]!(intent))
    const ofWorkers = [
      () => expirePurchases(systemContext('race')),
      () => expirePurchases(systemContext('race')),
      () => deliverCardEvents(),
      () => deliverCardEvents(),
    ]
    await Promise.all([...ofBuyers, ...ofWorkers].map((work) => work()))
  }
  for (let batch = 0; batch < RACES / RACES_PER_BATCH; batch++) await runBatch(batch)
  await expirePurchases(systemContext('race'))
  for (let round = 0; round < 60; round++) await deliverCardEvents()
  await drainJobs()
  const rows = await organization.ctx.db.purchaseIntent.findMany({
    where: { listingId: listing.id },
    include: { payments: { where: { state: { not: 'CANCELLED' } } }, claims: true, mintRequests: true },
  })
  const rowsByOutcome = Map.groupBy(
    rows,
    ({ status, payments: [payment], claims, mintRequests }) =>
      `${status} ${payment?.state ?? 'unpaid'} ${claims.length + mintRequests.length}`,
  )
  for (const outcome of rowsByOutcome.keys())
    expect([
      'CONFIRMED SUCCEEDED 1',
      'EXPIRED REFUNDED 0',
      'REFUNDED REFUNDED 0',
      'EXPIRED unpaid 0',
      'CANCELLED unpaid 0',
    ]).toContain(outcome)
  expect(rowsByOutcome.size).toBeGreaterThan(1)
  await expectConsistent()
})

test('a refund and a delivery requested at once never both happen', async () => {
  const listing = await makeListing(organization, editionOf(40))
  const api = callerOf(organization.key)
  for (let at = 0; at < 20; at++) {
    const { body } = await buy(listing.id, { buyer: { eth_address: makeRandomAddress() } })
    await pay(body.data)
    await Promise.all([
      deliverCardEvents(),
      api.post(`/v1/purchase-intents/${body.id}/refund`, {}),
      api.post(`/v1/purchase-intents/${body.id}/refund`, {}),
    ])
    await api.post(`/v1/purchase-intents/${body.id}/refund`, {})
    await deliverCardEvents()
    await deliverCardEvents()
    const state = (await call('GET', `/public/v1/purchase-intents/${body.id}?secret=${body.secret}`)).body
    expect([state.status, state.delivery.state === 'QUEUED']).toEqual(['REFUNDED', false])
  }
  await expectConsistent()
})
