import type { Address } from 'viem'
import { beforeAll, expect, test, vi } from 'vitest'

const postgres = await vi.hoisted(async () => {
  const { startOwnPostgres } = await import('../support/own-postgres.ts')
  return startOwnPostgres()
})

import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../lib/db/client.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { runSandboxCards } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { call, type ApiResponse } from '../support/call.ts'
import { postToCardWebhook } from '../support/card-sales.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims, type RedeemableClaim } from '../support/redeemable-claims.ts'
import { buy, connectCards, makeListing, pay } from '../support/selling.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { spawnWorker } from '../support/worker.ts'

// A process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let chain: TestChain
let organization: TestOrganization
let account: string

beforeAll(async () => {
  chain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
  account = await connectCards(organization)
})

/** Waves of purchases and redemptions. In each of them PostgreSQL is killed. */
const WAVES = 3
const PURCHASES_PER_WAVE = 3
const CLAIMS_PER_WAVE = 3
const PURCHASES = WAVES * PURCHASES_PER_WAVE
/** The first one shows that the worker runs. */
const CLAIMS = 1 + WAVES * CLAIMS_PER_WAVE

let interrupted = 0

/** Repeats what the database was away for. An answer of these codes is repeated too. */
const insist = (what: string, request: () => Promise<ApiResponse>): Promise<ApiResponse> =>
  until(what, async () => {
    const answer = await request().catch(() => null)
    if (answer && !['unavailable', 'idempotency_in_flight'].includes(answer.body.code)) return answer
    interrupted++
    return null
  })

test('PostgreSQL killed three times during purchases and redemptions: each is delivered once, and all records agree', async () => {
  const onChain = await makeOnChainCollection(organization, chain, {
    variant: 'ERC1155',
    max_supply: PURCHASES + CLAIMS,
  })
  const token = { contract: onChain.contract, variant: 'ERC1155' as const }
  const itemId = onChain.itemIds[0]!
  const { id: listingId } = await makeListing(organization, { item_id: itemId, quantity_listed: PURCHASES })
  const claims = await makeRedeemableClaims(organization, onChain.collectionId, Array(CLAIMS).fill(itemId))
  await catchUpWith(chain.chain)
  const worker = spawnWorker(chain, { env: { ORIGIN: `http://localhost:${await freePort()}` } })

  const { db } = organization.ctx
  const owners: Address[] = []
  const claimed = () => db.emailClaim.count({ where: { state: 'CLAIMED' } })
  await redeem(claims.shift()!)
  await until('The first delivery', claimed)
  const requests: Promise<void>[] = []
  for (let wave = 0; wave < WAVES; wave++) {
    const own = [
      ...Array.from({ length: PURCHASES_PER_WAVE }, buyAndPay),
      ...claims.splice(0, CLAIMS_PER_WAVE).map(redeem),
    ]
    requests.push(...own)
    await Promise.race(own)
    await postgres.kill()
  }
  await Promise.all(requests)
  expect(interrupted).toBeGreaterThan(0)

  await until('The delivery', async () => {
    await runSandboxCards(postToCardWebhook).catch(() => undefined)
    const bought = await db.purchaseIntent.count({ where: { status: 'CONFIRMED', fulfillmentStatus: 'COMPLETED' } })
    return bought === PURCHASES && (await claimed()) === CLAIMS
  })
  for (const owner of owners) expect(await unitsOf(chain, token, { owner, tokenId: 1n })).toBe(1n)
  expect(await db.mintRequest.count()).toBe(PURCHASES + CLAIMS)
  expect(await openSandboxStore().db.sandboxPaymentIntent.count({ where: { accountId: account } })).toBe(PURCHASES)
  await until(
    'The agreement of stock, money and chain',
    async () => (await verifyRecords(workerContext('test'))).length === 0,
  )
  expect(await worker.stop()).toEqual({ code: 0, signal: null })

  async function redeem({ token: link, pin }: RedeemableClaim): Promise<void> {
    const address = newOwner()
    const { status, body } = await insist('The redemption', () =>
      call('POST', `/public/v1/email-claims/${link}/redeem`, { body: { pin, address } }),
    )
    // An earlier try was committed, and its answer lost.
    if (body.code !== 'claim_already_claimed') expect(status, JSON.stringify(body)).toBe(201)
  }

  /** Buys under one Idempotency-Key, and pays. Ends the 30-second lease of a request that the database died under at once. */
  async function buyAndPay(): Promise<void> {
    const key = newId()
    const eth_address = newOwner()
    const { status, body } = await insist('The purchase', async () => {
      await systemClient().idempotencyRecord.updateMany({ where: { key }, data: { leaseEnds: new Date(0) } })
      return buy(listingId, { buyer: { eth_address } }, { 'idempotency-key': key })
    })
    expect(status, JSON.stringify(body)).toBe(201)
    await until('The payment', async () => {
      const payment = await pay(body.data).catch(() => null)
      return payment?.body.status === 'succeeded' || payment?.body.error?.payment_intent?.status === 'succeeded'
    })
  }

  function newOwner(): Address {
    owners.push(makeRandomAddress())
    return owners.at(-1)!
  }
})
