import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { FREE_PRICE, makeListing } from '../support/selling.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { spawnWeb } from '../support/web.ts'
import { spawnWorker } from '../support/worker.ts'

// A process starts slowly on a busy machine. `npm run test:crowd` lets 10,000 come.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 120_000 })
const BUYERS = Number(process.env.BUYERS ?? 200)
const UNITS = Number(process.env.UNITS ?? 20)
const AT_ONCE = 64

let chain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  chain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
})

/** A web process that can be killed at any moment, and is started again then. */
async function runWeb() {
  const port = await freePort()
  // All come from one client.
  const env = { PROOF_OF_WORK: 'off', OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }
  let isOver = false
  let { child, ended } = await spawnWeb(chain, { port, env })
  onTestFinished(() => {
    isOver = true
    child.kill('SIGKILL')
  })
  return {
    port,
    async kill() {
      child.kill('SIGKILL')
      await ended
      if (!isOver) ({ child, ended } = await spawnWeb(chain, { port, env }))
    },
  }
}

type Buyer = { key: string; address: string; answers: string[] }

test('more buyers than units while the worker delivers, the web process killed twice: every unit is sold once, and a key has one answer', async () => {
  const variant = 'ERC1155'
  const { contract, itemIds } = await makeOnChainCollection(organization, chain, { variant, max_supply: UNITS })
  const terms = { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] }
  const { id: listing_id } = await makeListing(organization, {
    item_id: itemIds[0],
    quantity_listed: UNITS,
    ...terms,
  })
  const { db } = organization.ctx
  const worker = spawnWorker(chain, { env: { ORIGIN: `http://localhost:${await freePort()}` } })
  const web = await runWeb()
  let broken = 0

  /** Asks once. What the buyer was told of the purchase is noted; null: it isn't decided yet. */
  async function ask(buyer: Buyer): Promise<string | null> {
    const answer = await fetch(`http://127.0.0.1:${web.port}/public/v1/purchase-intents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': buyer.key },
      body: JSON.stringify({ listing_id, buyer: { eth_address: buyer.address } }),
    })
      .then(async (response) => ({ status: response.status, body: (await response.json()) as any }))
      .catch(() => null)
    if (!answer) broken++
    if (!answer || ['idempotency_in_flight', 'unavailable'].includes(answer.body.code)) {
      // The lease of a request that the process died under ends at once, instead of after 30 seconds.
      await systemClient().idempotencyRecord.updateMany({
        where: { key: buyer.key, status: null },
        data: { leaseEnds: new Date(0) },
      })
      return null
    }
    expect([201, 409], JSON.stringify(answer.body)).toContain(answer.status)
    const told = answer.status === 201 ? (answer.body.id as string) : (answer.body.code as string)
    buyer.answers.push(told)
    return told
  }

  const buyers = Array.from({ length: BUYERS }, () => ({
    key: newId(),
    address: makeRandomAddress(),
    answers: [] as string[],
  }))
  const coming = [...buyers]
  const crowd = Array.from({ length: AT_ONCE }, async () => {
    for (let buyer = coming.shift(); buyer; buyer = coming.shift()) {
      const own = buyer
      await until('An answer', () => ask(own), 600_000)
    }
  })
  for (const sold of [1, UNITS / 2]) {
    await until('Purchases', async () => (await db.purchaseIntent.count({ where: { listingId: listing_id } })) >= sold)
    await web.kill()
  }
  await Promise.all(crowd)
  expect(broken).toBeGreaterThan(0)

  // Who asks once more with the same key is told the same.
  for (let at = 0; at < BUYERS; at += AT_ONCE) await Promise.all(buyers.slice(at, at + AT_ONCE).map(ask))
  for (const { answers } of buyers) expect(new Set(answers).size, answers.join(', ')).toBe(1)
  const ids = buyers.flatMap(({ answers }) => (answers[0] === 'sold_out' ? [] : [answers[0]!]))
  expect(new Set(ids).size).toBe(UNITS)
  const purchases = await db.purchaseIntent.findMany({ where: { listingId: listing_id } })
  expect(purchases.map(({ id }) => id).sort()).toEqual(ids.sort())
  const created = await db.auditEntry.findMany({ where: { action: 'purchase_intent.created', subjectId: { in: ids } } })
  expect(created.map(({ subjectId }) => subjectId).sort()).toEqual(ids)

  await until(
    'The delivery',
    async () => (await db.purchaseIntent.count({ where: { fulfillmentStatus: 'COMPLETED' } })) === UNITS,
    240_000,
  )
  for (const { address } of buyers.filter(({ answers }) => answers[0] !== 'sold_out'))
    expect(await unitsOf(chain, { contract, variant }, { owner: address as never, tokenId: 1n })).toBe(1n)
  await until('The agreement of stock and chain', async () => (await verifyRecords(systemContext('test'))).length === 0)
  expect(await worker.stop()).toEqual({ code: 0, signal: null })
})
