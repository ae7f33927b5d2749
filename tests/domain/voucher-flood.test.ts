import { beforeAll, expect, test, vi } from 'vitest'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

import type { Hex } from 'viem'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'
import { ports } from '../../lib/ports/ports.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { makeTransfer1155, makeVoucherRedeemed, ZERO_ADDRESS } from '../support/chain-logs.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { countDeadlocks } from '../support/statistics.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, cancelPurchase, FREE_PRICE, makeListing, setPayoutAddress } from '../support/selling.ts'

vi.setConfig({ testTimeout: 600_000 })

const REDEMPTIONS = 40
const ROUNDS = 3

let organization: TestOrganization
const worker = systemContext('flood')

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await setPayoutAddress(organization)
})

/** What two workers do with a block: one enters it, both apply what it says of vouchers. */
async function indexAndApply(logs: ChainLogRow[]): Promise<void> {
  await inTransaction(worker, (tx) => projectLogs(tx, logs))
  const chain = ports().chains.get(31337)!
  await Promise.all([applyVoucherFacts(worker, chain), applyVoucherFacts(worker, chain)])
}

const buyByVoucher = async (listing: { id: string }) =>
  (await buy(listing.id, { buyer: { eth_address: makeRandomAddress() } })).body

/** The logs of a block that redeems these purchases' vouchers, each in a transaction of its own. */
function redemptionsOf(collectionId: string, block: number, purchases: { data: any }[]): ChainLogRow[] {
  const collection = { id: collectionId, organizationId: organization.id, networkId: 31337 }
  return purchases.flatMap(({ data: { minter, voucher } }, at) => {
    const place = { block, tx: `${block}:${voucher.nonce}` }
    return [
      makeVoucherRedeemed(collection, { ...place, index: 2 * at }, BigInt(voucher.nonce)),
      makeTransfer1155(
        collection,
        { ...place, index: 2 * at + 1 },
        ZERO_ADDRESS,
        minter as Hex,
        [BigInt(voucher.token_id)],
        [1n],
      ),
    ]
  })
}

test('40 vouchers redeemed in one block while buyers come, give up and expire: no deadlock, every purchase delivered', async () => {
  const units = ROUNDS * 200
  const listing = await makeListing(organization, {
    item: { tokenType: 'ERC1155', maxSupply: BigInt(2 * units) },
    quantity_listed: units,
    price: 1000,
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
  })
  const { itemId, collectionId } = await organization.ctx.db.listing.findFirstOrThrow({ where: { id: listing.id } })
  const free = await makeListing(organization, {
    item_id: itemId!,
    quantity_listed: units,
    ...FREE_PRICE,
    payment_providers: ['BETA_FREE_MINT'],
  })
  const before = await countDeadlocks()
  const paid: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const purchases = await Promise.all(Array.from({ length: REDEMPTIONS }, () => buyByVoucher(listing)))
    const abandoned = await Promise.all(Array.from({ length: 20 }, () => buyByVoucher(listing)))
    await organization.ctx.db.voucher.deleteMany({ where: { purchaseIntentId: { in: abandoned.map(({ id }) => id) } } })
    await organization.ctx.db.purchaseIntent.updateMany({
      where: { id: { in: abandoned.map(({ id }) => id) } },
      data: { expiresAt: new Date(Date.now() - 1000) },
    })
    paid.push(...purchases.map(({ id }) => id))
    const logs = redemptionsOf(collectionId, round + 1, purchases)
    await Promise.all([
      indexAndApply(logs),
      expirePurchases(systemContext('flood')),
      ...abandoned.slice(0, 5).map((purchase) => cancelPurchase(purchase)),
      ...Array.from({ length: 30 }, () => buy(free.id, { buyer: { eth_address: makeRandomAddress() } })),
      ...Array.from({ length: 30 }, async () => cancelPurchase(await buyByVoucher(listing))),
    ])
  }
  expect((await countDeadlocks()) - before).toBe(0)
  expect(
    await organization.ctx.db.purchaseIntent.count({
      where: { id: { in: paid }, status: 'CONFIRMED', fulfillmentStatus: 'COMPLETED' },
    }),
  ).toBe(paid.length)
  expect(await verifyRecords(systemContext('flood'))).toEqual([])
})
