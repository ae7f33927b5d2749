import net from 'node:net'
import type { Address } from 'viem'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'

const postgres = await vi.hoisted(async () => {
  Object.assign(process.env, { PROOF_OF_WORK: 'off', OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' })
  const { startOwnPostgres } = await import('../support/own-postgres.ts')
  return startOwnPostgres()
})

import { newId } from '../../lib/core/id.ts'
import { connectionsOf, systemClient } from '../../lib/db/client.ts'
import { DATABASE_ROLES } from '../../lib/db/session.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { answerEndpoints } from '../../lib/platform/http/answer-endpoints.ts'
import type { Application } from '../../lib/platform/http/http-server.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { runSandboxCards } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { handlers } from '../../scripts/route-table.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { call, type ApiResponse } from '../support/call.ts'
import { postToCardWebhook } from '../support/card-sales.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRedeemableClaims, type RedeemableClaim } from '../support/redeemable-claims.ts'
import { buy, connectCards, FREE_PRICE, makeListing, pay } from '../support/selling.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { startWebServer } from '../support/web-server.ts'
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
    async () => (await verifyRecords(systemContext('test'))).length === 0,
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

  /**
   * Buys under one Idempotency-Key, and pays. Ends the 30-second lease of a request that the database died under at
   * once.
   */
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

test('PostgreSQL killed and restarted under reads and purchases: answers are 503 or right, and all are served again', async () => {
  const onChain = await makeOnChainCollection(organization, chain, { variant: 'ERC1155', max_supply: 10_000 })
  const { id } = await makeListing(organization, {
    ...FREE_PRICE,
    item_id: onChain.itemIds[0],
    quantity_listed: 10_000,
    payment_providers: ['BETA_FREE_MINT'],
  })
  const application: Application = async (_, response) => void response.writeHead(404).end()
  const { url } = await startWebServer(
    answerEndpoints(handlers, { origin: 'http://localhost', seconds: 30 }, application),
  )
  const buyBody = () => JSON.stringify({ listing_id: id, buyer: { eth_address: makeRandomAddress() } })
  const headers = { 'content-type': 'application/json' }
  const post = () => fetch(`${url}/public/v1/purchase-intents`, { method: 'POST', headers, body: buyBody() })
  const get = () => fetch(`${url}/public/v1/listings/${id}`)
  let sold = 0
  let refused = 0
  let isOver = false

  /** What is told as sold before a read begins is in its answer. */
  async function readOnce(): Promise<boolean> {
    const soldBefore = sold
    const response = await get()
    expect([200, 503]).toContain(response.status)
    const { quantity_remaining } = (await response.json()) as { quantity_remaining: string }
    if (response.status === 200) expect(10_000 - Number(quantity_remaining)).toBeGreaterThanOrEqual(soldBefore)
    return response.status === 200
  }
  async function buyOnce(): Promise<boolean> {
    const response = await post()
    const text = await response.text()
    expect([201, 503], text).toContain(response.status)
    if (response.status === 201) sold++
    else refused++
    return response.status === 201
  }
  const repeated = async (ask: () => Promise<boolean>) => {
    while (!isOver) if (!(await ask())) await new Promise((resolve) => setImmediate(resolve))
  }
  const load = Promise.all([
    ...Array.from({ length: 6 }, () => repeated(readOnce)),
    ...Array.from({ length: 6 }, () => repeated(buyOnce)),
  ])
  try {
    for (const end of [postgres.kill, postgres.restart, postgres.kill]) {
      const before = sold
      await Promise.race([until('Purchases', () => sold > before + 20), load])
      await end()
      const soldThen = sold
      await Promise.race([until('Purchases after the return', () => sold > soldThen + 20, 30_000), load])
    }
  } finally {
    isOver = true
  }
  await load
  expect(refused).toBeGreaterThan(0)

  // Every connection of every pool answers.
  const all = await Promise.all(Array.from({ length: 60 }, (_, at) => (at % 2 ? post() : get())))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 201]))
  for (const role of DATABASE_ROLES) expect(connectionsOf(role).waitingCount).toBe(0)
  // What was committed while its answer was lost is sold as well, and a kept body says so.
  const purchases = await organization.ctx.db.purchaseIntent.count({ where: { listingId: id } })
  expect(purchases).toBeGreaterThanOrEqual(sold + 30)
  const { quantity_remaining } = (await (await get()).json()) as { quantity_remaining: string }
  expect(Number(quantity_remaining)).toBe(10_000 - purchases)
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

/** A database URL whose first connections are closed without a word. */
async function refusingFirst(count: number): Promise<{ url: string; refused: () => number }> {
  const target = new URL(process.env.DATABASE_URL!)
  let refused = 0
  const server = net.createServer((client) => {
    client.on('error', () => undefined)
    if (refused < count) {
      refused++
      return client.destroy()
    }
    const upstream = net.connect(Number(target.port), target.hostname)
    upstream.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = new URL(target)
  url.port = String(port)
  return { url: url.toString(), refused: () => refused }
}

test('a worker that starts before its database can be reached waits for it', async () => {
  const { url, refused } = await refusingFirst(12)
  const worker = spawnWorker(chain, { env: { DATABASE_URL: url, ORIGIN: `http://localhost:${await freePort()}` } })
  const seenSince = new Date()
  const isBeating = () => systemClient().worker.count({ where: { seenAt: { gt: seenSince } } })
  await Promise.race([until('The worker', isBeating), worker.ended.then((end) => expect.fail(JSON.stringify(end)))])
  expect(refused()).toBe(12)
  expect(await worker.stop()).toEqual({ code: 0, signal: null })
})
