import { parseEther, type Address, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'

vi.hoisted(() =>
  Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0', PROOF_OF_WORK: 'off' }),
)

import { resetClock } from '../../lib/core/clock.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { type LyingNetwork, ROUND_SECONDS, seedsOf, startLyingNetwork } from '../support/lying-network.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, makeListing, readPurchase } from '../support/selling.ts'
import { makeOnChainCollection, unitsOf } from '../support/sending.ts'
import { sendVoucher } from '../support/vouchers.ts'

vi.setConfig({ testTimeout: 180_000 })

let testChain: TestChain
beforeAll(async () => {
  testChain = await startChain()
})
afterEach(resetClock)

const PRICE = parseEther('0.01')
/** The units of each listing. */
const STOCK = 4
/**
 * What becomes of the first vouchers: sent at once, in the last second before their expiry, after it, or never. Later
 * ones are sent at once.
 */
const PLANS = {
  ERC721: ['now', 'last', 'never', 'late'],
  ERC1155: ['last', 'now', 'late', 'never'],
} as const
type Variant = keyof typeof PLANS
type Plan = (typeof PLANS)[Variant][number]

type Shop = { listingId: string; contract: Address; variant: Variant }
type Bought = Shop & { id: string; secret: string; plan: Plan; buyer: LocalAccount; entry: any; isSent: boolean }

test.each(seedsOf(1, 2))(
  'vouchers sold while all nodes lie and fail, seed %i: units return only if the chain never took them, and all are sold once',
  async (seed) => {
    const network = await startLyingNetwork(testChain, seed)
    const organization = await makeOrganization()
    const { ctx } = organization
    const payoutAddress = makeRandomAddress()
    await ctx.db.organization.updateMany({ where: { id: organization.id }, data: { payoutAddress } })
    const shops = [await openShop(organization, 'ERC721'), await openShop(organization, 'ERC1155')]
    network.lie()

    const bought: Bought[] = []
    for (const at of PLANS.ERC721.keys()) {
      for (const shop of shops) bought.push(await buyOne(network, shop, PLANS[shop.variant][at]!))
      await sendDue(bought)
      await network.work()
    }
    await settle()
    for (const shop of shops) while (await isOnSale(organization, shop)) bought.push(await buyOne(network, shop, 'now'))
    await settle()

    await expectOutcomes()
    for (const { listingId } of shops)
      expect(await ctx.db.listing.findFirstOrThrow({ where: { id: listingId } })).toMatchObject({
        status: 'COMPLETE',
        quantityConfirmed: BigInt(STOCK),
        quantityOpen: 0n,
      })
    expect(await testChain.client.getBalance({ address: payoutAddress })).toBe(PRICE * BigInt(STOCK * shops.length))
    expect(network.faults()).toBeGreaterThan(20)
    expect(await network.clearUp()).toEqual({ findings: [], alarms: [] })
    await expectOutcomes()

    async function settle(): Promise<void> {
      await network.settle(async () => {
        await sendDue(bought)
        const open = await ctx.db.purchaseIntent.findMany({
          where: { OR: [{ status: 'PENDING' }, { status: 'CONFIRMED', fulfillmentStatus: { not: 'COMPLETED' } }] },
        })
        return open.map(({ id, status, fulfillmentStatus }) => {
          const plan = bought.find((one) => one.id === id)?.plan
          return `the purchase ${id}, sent ${plan}, is ${status} and ${fulfillmentStatus}`
        })
      })
    }

    /** The chain and the books say the same of each purchase. */
    async function expectOutcomes(): Promise<void> {
      for (const { id, secret, plan, buyer, entry, ...token } of bought) {
        const { status, fulfillment_status } = await readPurchase({ id, secret })
        const received = await unitsOf(testChain, token, {
          owner: buyer.address,
          tokenId: BigInt(entry.voucher.token_id),
        })
        expect({ plan, status, fulfillment_status, received }).toEqual(
          plan === 'now' || plan === 'last'
            ? { plan, status: 'CONFIRMED', fulfillment_status: 'COMPLETED', received: 1n }
            : { plan, status: 'EXPIRED', fulfillment_status: 'PENDING', received: 0n },
        )
      }
    }
  },
)

async function openShop(organization: TestOrganization, variant: Variant): Promise<Shop> {
  const { contract, collectionId, itemIds } = await makeOnChainCollection(organization, testChain, {
    variant,
    ...(variant === 'ERC721' ? { items: STOCK } : { max_supply: STOCK }),
  })
  const listing = await makeListing(organization, {
    ...(variant === 'ERC721' ? { collection_id: collectionId } : { item_id: itemIds[0] }),
    quantity_listed: STOCK,
    price: PRICE.toString(),
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
    policy: { payment_session_duration: { timeout_seconds: 120 } },
  })
  return { listingId: listing.id, contract, variant }
}

async function buyOne(network: LyingNetwork, shop: Shop, plan: Plan): Promise<Bought> {
  const buyer = privateKeyToAccount(generatePrivateKey())
  await testChain.node.setBalance({ address: buyer.address, value: parseEther('1') })
  const { status, body } = await network.insist(() => buy(shop.listingId, { buyer: { eth_address: buyer.address } }))
  expect(status, JSON.stringify(body)).toBe(201)
  const bought = { ...shop, id: body.id, secret: body.secret, plan, buyer, entry: body.data, isSent: false }
  if (plan === 'now') await send(bought, 'success')
  return bought
}

async function send(bought: Bought, outcome: 'success' | 'reverted'): Promise<void> {
  expect((await sendVoucher(testChain, bought.buyer, bought.entry)).status).toBe(outcome)
  bought.isSent = true
}

/** Sends the vouchers whose last second comes before the next round, and those that have run out on the chain. */
async function sendDue(bought: readonly Bought[]): Promise<void> {
  for (const one of bought.filter(({ isSent }) => !isSent)) {
    const expiry = BigInt(one.entry.voucher.expiry)
    const { timestamp } = await testChain.client.getBlock()
    if (one.plan === 'last' && timestamp + ROUND_SECONDS >= expiry) {
      await testChain.node.setNextBlockTimestamp({ timestamp: expiry })
      await send(one, 'success')
    }
    if (one.plan === 'late' && timestamp > expiry) await send(one, 'reverted')
  }
}

const isOnSale = async (organization: TestOrganization, { listingId }: Shop): Promise<boolean> => {
  const { quantityListed, quantityConfirmed, quantityOpen } = await organization.ctx.db.listing.findFirstOrThrow({
    where: { id: listingId },
  })
  return quantityConfirmed + quantityOpen < quantityListed
}
