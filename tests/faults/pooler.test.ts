import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { loginUrl } from '../../lib/db/logins.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { makeRedeemableClaims } from '../support/redeemable-claims.ts'
import { connectCards, makeAddressBuyer, makeListing, pay } from '../support/selling.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { spawnWeb } from '../support/web.ts'
import { spawnWorker } from '../support/worker.ts'

// PgBouncer may have to be installed, and a process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let chain: TestChain
let organization: TestOrganization
let pooled: string

beforeAll(async () => {
  pooled = await startPgBouncer()
  chain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
})

test('the PgBouncer of these tests refuses connections with start-up options', async () => {
  const url = loginUrl(pooled, 'vitrine_system')
  const withOptions = new pg.Client({ connectionString: url, options: '-c lock_timeout=1s' })
  await expect(withOptions.connect()).rejects.toThrow('options')
})

test('a claim and a purchase are delivered while web and worker know the database through PgBouncer only', async () => {
  const variant = 'ERC1155'
  await connectCards(organization)
  const { collectionId, contract, itemIds } = await makeOnChainCollection(organization, chain, {
    variant,
    items: 2,
    max_supply: 10,
  })
  const { id: listingId } = await makeListing(organization, { item_id: itemIds[0], quantity_listed: 5 })
  const [claim] = await makeRedeemableClaims(organization, collectionId, [itemIds[1]!])
  const port = await freePort()
  // The limits' own statements go through it too.
  const env = {
    DATABASE_URL: pooled,
    RATE_LIMIT_PUBLIC_READS: '10000',
    RATE_LIMIT_PUBLIC_WRITES: '10000',
    PROOF_OF_WORK: 'off',
  }
  await spawnWeb(chain, { port, env })
  spawnWorker(chain, { env: { ...env, ORIGIN: `http://localhost:${port}` } })
  const request = async (method: string, address: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${address}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    return { status: response.status, body: (await response.json()) as any }
  }

  const recipient = makeRandomAddress()
  const redeemed = await request('POST', `/public/v1/email-claims/${claim!.token}/redeem`, {
    pin: claim!.pin,
    address: recipient,
  })
  expect(redeemed.status, JSON.stringify(redeemed.body)).toBe(201)
  const buyer = makeAddressBuyer()
  const bought = await request('POST', '/public/v1/purchase-intents', { buyer, listing_id: listingId })
  expect(bought.status, JSON.stringify(bought.body)).toBe(201)
  expect((await pay(bought.body.data)).body.status).toBe('succeeded')

  const read = `/public/v1/purchase-intents/${bought.body.id}?secret=${bought.body.secret}`
  await until('The delivery', async () => (await request('GET', read)).body.fulfillment_status === 'COMPLETED')
  const tokenOf = async (itemId: string) =>
    BigInt((await organization.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })).tokenId!.toString())
  await until(
    'The claim’s mint',
    async () =>
      (await unitsOf(chain, { contract, variant }, { owner: recipient, tokenId: await tokenOf(itemIds[1]!) })) === 1n,
  )
  expect(
    await unitsOf(chain, { contract, variant }, { owner: buyer.eth_address, tokenId: await tokenOf(itemIds[0]!) }),
  ).toBe(1n)
  expect(await openSandboxStore().db.sandboxPaymentIntent.count({ where: { status: 'succeeded' } })).toBe(1)
})
