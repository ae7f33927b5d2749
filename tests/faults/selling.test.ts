import { beforeAll, expect, test, vi } from 'vitest'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { cutConnections } from '../support/cut-connections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeAddressBuyer, connectCards, makeListing, pay } from '../support/selling.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { spawnWeb } from '../support/web.ts'
import { spawnWorker } from '../support/worker.ts'

// A process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let chain: TestChain
let organization: TestOrganization
let itemId: string
let listingId: string
let port: number

beforeAll(async () => {
  chain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
  await connectCards(organization)
  const onChain = await makeOnChainCollection(organization, chain, { variant: 'ERC1155', max_supply: 100 })
  itemId = onChain.itemIds[0]!
  listingId = (await makeListing(organization, { item_id: itemId, quantity_listed: 100 })).id
  port = await freePort()
})

const request = async (
  method: string,
  path: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as any }
}

const origin = () => ({ ORIGIN: `http://localhost:${port}` })

/** All purchases come from one client. */
const runWeb = () => spawnWeb(chain, { port, env: { PROOF_OF_WORK: 'off' } })

/** Buys with retries under one Idempotency-Key. Ends the 30-second lease of a killed process at once. */
async function buyWithRetries() {
  const key = newId()
  const body = { buyer: makeAddressBuyer(), listing_id: listingId }
  return until('The purchase', async () => {
    const answer = await request('POST', '/public/v1/purchase-intents', {
      body,
      headers: { 'idempotency-key': key },
    }).catch(() => null)
    if (answer?.status === 201) return answer.body
    if (answer)
      expect(['idempotency_in_flight', 'unavailable'], JSON.stringify(answer.body)).toContain(answer.body.code)
    await systemClient()
      .idempotencyRecord.updateMany({ where: { key }, data: { leaseEnds: new Date(0) } })
      .catch(() => undefined)
    return null
  })
}

const waitForPurchase = (what: string, { id, secret }: { id: string; secret: string }, is: (state: any) => boolean) =>
  until(what, async () => {
    const answer = await request('GET', `/public/v1/purchase-intents/${id}?secret=${secret}`).catch(() => null)
    return answer?.status === 200 && is(answer.body) && answer.body
  })

async function refund({ id }: { id: string }) {
  await until('The refund request', async () => {
    const answer = await request('POST', `/v1/purchase-intents/${id}/refund`, {
      body: {},
      headers: { authorization: `Bearer ${organization.key}` },
    }).catch(() => null)
    return answer?.status === 200
  })
}

async function expectConsistentRecords(): Promise<void> {
  await until(
    'The agreement of stock, money and chain',
    async () => (await verifyRecords(systemContext('test'))).length === 0,
  ).catch(async (error: unknown) => {
    expect(await verifyRecords(systemContext('test'))).toEqual([])
    throw error
  })
}

test('a worker stopped after it made a refund leaves its job to another, and one refund is made, also when the first continues', async () => {
  await runWeb()
  const bought = await buyWithRetries()
  expect((await pay(bought.data)).body.status).toBe('succeeded')
  const hung = spawnWorker(chain, { stopAt: 'refund_created', env: origin() })
  await waitForPurchase('The delivery', bought, (state) => state.fulfillment_status === 'COMPLETED')
  await refund(bought)
  const { providerId } = await organization.ctx.db.payment.findFirstOrThrow({ where: { intentId: bought.id } })
  const refunds = () => openSandboxStore().db.sandboxRefund.count({ where: { paymentIntentId: providerId! } })
  await until('The refund at the provider', refunds)

  const other = spawnWorker(chain, { env: origin() })
  await waitForPurchase('The refund', bought, (state) => state.status === 'REFUNDED')
  const refunding = () => systemClient().job.count({ where: { name: 'refund-payment' } })
  await until('The end of the job', async () => (await refunding()) === 0)
  hung.child.kill('SIGCONT')
  expect(await hung.stop()).toEqual({ code: 0, signal: null })
  expect(await refunds()).toBe(1)
  await expectConsistentRecords()
  expect(await other.stop()).toEqual({ code: 0, signal: null })
})

test('database connections cut five times during purchases: every paid purchase is delivered once', async () => {
  await runWeb()
  spawnWorker(chain, { env: origin() })
  const buying = Array.from({ length: 6 }, async () => {
    const bought = await buyWithRetries()
    await until(
      'The payment',
      async () =>
        (await pay(bought.data).catch(() => null))?.body.status === 'succeeded' ||
        (await request('GET', `/public/v1/purchase-intents/${bought.id}?secret=${bought.secret}`).catch(() => null))
          ?.body.status === 'CONFIRMED',
    )
    return bought
  })
  for (let cut = 0; cut < 5; cut++) {
    await cutConnections()
    await until('A new connection', () =>
      request('GET', `/public/v1/listings/${listingId}`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
  }
  for (const bought of await Promise.all(buying))
    await waitForPurchase('The delivery', bought, (state) => state.fulfillment_status === 'COMPLETED')
  await expectConsistentRecords()
})
