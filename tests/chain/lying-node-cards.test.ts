import { type Address, getAddress } from 'viem'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'

vi.hoisted(() =>
  Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0', PROOF_OF_WORK: 'off' }),
)

import { resetClock } from '../../lib/core/clock.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { type LyingNetwork, seedsOf, startLyingNetwork } from '../support/lying-network.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import {
  buy,
  cancelPurchase,
  connectCards,
  makeAddressBuyer,
  makeListing,
  pay,
  readPurchase,
} from '../support/selling.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'

vi.setConfig({ testTimeout: 180_000 })

let testChain: TestChain
beforeAll(async () => {
  testChain = await startChain()
})
afterEach(resetClock)

/** The units of each listing. */
const STOCK = 6
/**
 * What becomes of the first purchases; later ones are paid and kept. A late refund is asked for when its mint was
 * signed.
 */
const PLANS = ['keep', 'refund', 'cancel', 'refund_late', 'leave', 'keep'] as const
type Plan = (typeof PLANS)[number]

type Shop = { listingId: string; contract: Address; variant: 'ERC721' | 'ERC1155' }
type Bought = Shop & { id: string; secret: string; paymentId: string; plan: Plan; buyer: Address }

test.each(seedsOf(1, 2))(
  'card purchases while all nodes lie and fail, seed %i: each is delivered or refunded, never both, and all units are sold',
  async (seed) => {
    const network = await startLyingNetwork(testChain, seed)
    const organization = await makeOrganization()
    await connectCards(organization)
    const shops = [await openShop(organization, 'ERC721'), await openShop(organization, 'ERC1155')]
    network.lie()
    const bought: Bought[] = []
    for (const plan of PLANS) {
      for (const shop of shops) bought.push(await buyOne(network, shop, plan))
      await network.work()
      await refundOpen(organization, bought)
    }
    await settle()
    for (const shop of shops)
      while (await isOnSale(organization, shop)) bought.push(await buyOne(network, shop, 'keep'))
    await settle()

    for (const one of bought) await expectOneOutcome(one)
    for (const { listingId } of shops)
      expect(await organization.ctx.db.listing.findFirstOrThrow({ where: { id: listingId } })).toMatchObject({
        status: 'COMPLETE',
        quantityConfirmed: BigInt(STOCK),
        quantityOpen: 0n,
      })
    expect(network.faults()).toBeGreaterThan(20)
    expect(await network.clearUp()).toEqual({ findings: [], alarms: [] })
    for (const one of bought) await expectOneOutcome(one)

    async function settle(): Promise<void> {
      await network.settle(async () => {
        await refundOpen(organization, bought)
        const open = await organization.ctx.db.purchaseIntent.findMany({
          where: {
            OR: [
              { status: { in: ['PENDING', 'UNRESOLVED'] } },
              { status: 'CONFIRMED', fulfillmentStatus: { not: 'COMPLETED' } },
              { payments: { some: { state: 'REFUNDING' } } },
            ],
          },
        })
        return open.map(
          ({ id, status, fulfillmentStatus }) => `the purchase ${id} is ${status} and ${fulfillmentStatus}`,
        )
      })
    }
  },
)

async function openShop(organization: TestOrganization, variant: Shop['variant']): Promise<Shop> {
  const { contract, collectionId, itemIds } = await makeOnChainCollection(organization, testChain, {
    variant,
    ...(variant === 'ERC721' ? { items: STOCK } : { max_supply: STOCK }),
  })
  const listing = await makeListing(organization, {
    ...(variant === 'ERC721' ? { collection_id: collectionId } : { item_id: itemIds[0] }),
    quantity_listed: STOCK,
    policy: { payment_session_duration: { timeout_seconds: 120 } },
  })
  return { listingId: listing.id, contract, variant }
}

async function buyOne(network: LyingNetwork, shop: Shop, plan: Plan): Promise<Bought> {
  const buyer = makeAddressBuyer()
  const { status, body } = await network.insist(() => buy(shop.listingId, { buyer }))
  expect(status, JSON.stringify(body)).toBe(201)
  if (plan === 'cancel') expect((await cancelPurchase(body)).status).toBe(204)
  else if (plan !== 'leave') expect((await pay(body.data)).body.status).toBe('succeeded')
  const paymentId = body.data.client_secret.split('_secret_')[0]
  return { ...shop, id: body.id, secret: body.secret, paymentId, plan, buyer: getAddress(buyer.eth_address) }
}

const isOnSale = async (organization: TestOrganization, { listingId }: Shop): Promise<boolean> => {
  const { quantityListed, quantityConfirmed, quantityOpen } = await organization.ctx.db.listing.findFirstOrThrow({
    where: { id: listingId },
  })
  return quantityConfirmed + quantityOpen < quantityListed
}

/** The organization refunds what is to be refunded and isn't delivered; while its mint may be mined that is refused. */
async function refundOpen(organization: TestOrganization, bought: readonly Bought[]): Promise<void> {
  for (const { id, plan } of bought) {
    if (plan !== 'refund' && plan !== 'refund_late') continue
    const { status, mintRequests } = await organization.ctx.db.purchaseIntent.findFirstOrThrow({
      where: { id },
      include: { mintRequests: true },
    })
    const isSigned = mintRequests.some(({ state }) => state === 'SUBMITTED')
    const isDelivered = mintRequests.some(({ state }) => state === 'COMPLETED')
    if (status !== 'CONFIRMED' || isDelivered || (plan === 'refund_late' && !isSigned)) continue
    const answer = await callerOf(organization.key).post(`/v1/purchase-intents/${id}/refund`)
    expect([answer.status, answer.body.code]).toEqual(isSigned ? [409, 'mint_in_flight'] : [200, undefined])
  }
}

/** Money, units and token of a purchase agree, by the card provider and the chain themselves. */
async function expectOneOutcome({ id, secret, paymentId, plan, buyer, ...token }: Bought): Promise<void> {
  const purchase = await readPurchase({ id, secret })
  const ids = Array.from({ length: token.variant === 'ERC721' ? STOCK : 1 }, (_, at) => BigInt(at + 1))
  const units = await Promise.all(ids.map((tokenId) => unitsOf(testChain, token, { owner: buyer, tokenId })))
  const received = units.reduce((sum, one) => sum + one, 0n)
  const paid = await openSandboxStore().db.sandboxPaymentIntent.findUniqueOrThrow({ where: { id: paymentId } })
  const outcome = { status: purchase.status, received, money: [paid.amountReceived, paid.amountRefunded] }
  const price = 1999n
  if (plan === 'keep' || plan === 'refund_late')
    expect(outcome).toEqual({ status: 'CONFIRMED', received: 1n, money: [price, 0n] })
  if (plan === 'refund') expect(outcome).toEqual({ status: 'REFUNDED', received: 0n, money: [price, price] })
  if (plan === 'cancel') expect(outcome).toEqual({ status: 'CANCELLED', received: 0n, money: [0n, 0n] })
  if (plan === 'leave') expect(outcome).toEqual({ status: 'EXPIRED', received: 0n, money: [0n, 0n] })
}
