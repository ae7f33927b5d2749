import { parseEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

const FEE_ADDRESS = vi.hoisted(() => {
  Object.assign(process.env, {
    PLATFORM_FEE_BPS: '250',
    PLATFORM_FEE_ADDRESS: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    OPEN_INTENTS_PER_BUYER: '0',
    OPEN_INTENTS_PER_CLIENT: '0',
  })
  return process.env.PLATFORM_FEE_ADDRESS as Address
})

import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { encodeAdminMint721 } from '../../lib/core/contracts/calls.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { expireVouchers } from '../../lib/onchain/vouchers/expire-vouchers.ts'
import { recover, sendForgotten } from '../support/by-hand.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { drainJobs } from '../support/jobs.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import {
  buy,
  connectCards,
  deliverCardEvents,
  FREE_PRICE,
  cancelPurchase,
  makeListing,
  pay,
  readPurchase,
} from '../support/selling.ts'
import { makeOnChainCollection, tokenAbi721 } from '../support/sending.ts'
import { sendVoucher } from '../support/vouchers.ts'

let local: TestChain
let organization: TestOrganization
const buyer = privateKeyToAccount(generatePrivateKey())
const PAYOUT = makeRandomAddress()
const PRICE = parseEther('0.1')

beforeAll(async () => {
  local = await startChain()
  await local.node.setBalance({ address: buyer.address, value: parseEther('100') })
  organization = await makeOrganization()
  await organization.ctx.db.organization.updateMany({ where: { id: organization.id }, data: { payoutAddress: PAYOUT } })
  await connectCards(organization)
})
beforeEach(resetClock)
afterEach(async () => {
  resetClock()
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

const catchUp = () => catchUpWith(local.chain)

async function offer(more: object = {}, { variant = 'ERC721' as 'ERC721' | 'ERC1155', max_supply = 3 } = {}) {
  const onChain = await makeOnChainCollection(organization, local, {
    variant,
    ...(variant === 'ERC1155' && { max_supply }),
  })
  await catchUp()
  const listing = await makeListing(organization, {
    item_id: onChain.itemIds[0],
    price: PRICE.toString(),
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
    ...more,
  })
  return { ...onChain, listing, itemId: onChain.itemIds[0]! }
}

const buyAsBuyer = (listing: { id: string }, more: object = {}) =>
  buy(listing.id, { buyer: { eth_address: buyer.address, email: `${newId()}@example.com` }, ...more })
const listingOf = (id: string) => organization.ctx.db.listing.findFirstOrThrow({ where: { id } })
const balanceOf = (address: Address) => local.client.getBalance({ address })

const payVoucher = (entry: unknown) => sendVoucher(local, buyer, entry)

test('a voucher splits the price between seller and platform, and its mint completes the purchase', async () => {
  const { listing, contract } = await offer()
  const created = await buyAsBuyer(listing)
  expect(created.body, JSON.stringify(created.body)).toMatchObject({
    status: 'PENDING',
    fulfillment_method: 'VOUCHER',
    price: PRICE.toString(),
    data: {
      contract,
      minter: buyer.address,
      voucher: {
        price: PRICE.toString(),
        net_recipient: PAYOUT,
        initial_recipient: FEE_ADDRESS,
        initial_recipient_amount: ((PRICE * 250n) / 10_000n).toString(),
      },
    },
  })
  const again = await buyAsBuyer(listing)
  expect([again.body.id, again.body.data]).toEqual([created.body.id, created.body.data])
  const before = [await balanceOf(PAYOUT), await balanceOf(FEE_ADDRESS)]
  expect((await payVoucher(created.body.data)).status).toBe('success')
  expect(await balanceOf(PAYOUT)).toBe(before[0]! + (PRICE * 9750n) / 10_000n)
  expect(await balanceOf(FEE_ADDRESS)).toBe(before[1]! + (PRICE * 250n) / 10_000n)
  await catchUp()
  expect(await readPurchase(created.body)).toMatchObject({
    status: 'CONFIRMED',
    fulfillment_status: 'COMPLETED',
    data: null,
    delivery: { state: 'CONFIRMED', token_id: '1' },
  })
  expect(await listingOf(listing.id)).toMatchObject({ status: 'COMPLETE', quantityConfirmed: 1n, quantityOpen: 0n })
  expect(
    await local.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [1n] }),
  ).toBe(buyer.address)
  const events = await organization.ctx.db.event.findMany({ where: { key: created.body.id }, orderBy: { id: 'asc' } })
  expect(events.map(({ type }) => type)).toEqual(['purchase.confirmed', 'purchase.fulfilled'])
  expect(
    await organization.ctx.db.outboxMessage.count({
      where: { templateType: 'RECEIPT', toEmail: events[0]!.data && (events[0]!.data as any).email },
    }),
  ).toBe(1)
  expect((await cancelPurchase(created.body)).body.code).toBe('purchase_confirmed')
})

test('a voucher for several ERC-1155 units costs price times quantity', async () => {
  const { listing } = await offer({ quantity_listed: 3, max_quantity_per_tx: 3 }, { variant: 'ERC1155' })
  const { body } = await buyAsBuyer(listing, { quantity: 2 })
  expect(body).toMatchObject({
    price: (PRICE * 2n).toString(),
    data: { voucher: { quantity: 2, price: PRICE.toString() } },
  })
  await payVoucher(body.data)
  await catchUp()
  expect(await readPurchase(body)).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'COMPLETED' })
  expect(await listingOf(listing.id)).toMatchObject({ status: 'ACTIVE', quantityConfirmed: 2n })
})

test('units of an expired or cancelled voucher are freed once the chain’s time is past its expiry', async () => {
  const { listing } = await offer(
    { quantity_listed: 2, policy: { payment_session_duration: { timeout_seconds: 60 } } },
    { variant: 'ERC1155' },
  )
  const first = (await buyAsBuyer(listing)).body
  const second = (await buy(listing.id, { buyer: { eth_address: makeRandomAddress() } })).body
  expect((await cancelPurchase(second)).status).toBe(204)
  expect(await readPurchase(second)).toMatchObject({ status: 'CANCELLED', data: null })
  moveClock(61_000)
  await expirePurchases(systemContext('test'))
  await expireVouchers(systemContext('test'), local.chain)
  expect(await listingOf(listing.id)).toMatchObject({ quantityOpen: 2n })
  await local.node.increaseTime({ seconds: 62 })
  await local.node.mine({ blocks: 2 })
  await catchUp()
  expect(await expireVouchers(systemContext('test'), local.chain)).toBe(2)
  expect(await readPurchase(first)).toMatchObject({ status: 'EXPIRED', data: null })
  expect(await readPurchase(second)).toMatchObject({ status: 'CANCELLED' })
  expect(await listingOf(listing.id)).toMatchObject({ quantityOpen: 0n, status: 'ACTIVE' })
})

test('a purchase without a signed voucher expires at its time', async () => {
  const { listing } = await offer()
  const { body } = await buyAsBuyer(listing)
  await organization.ctx.db.voucher.deleteMany({ where: { purchaseIntentId: body.id } })
  moveClock(31 * 60_000)
  await expirePurchases(systemContext('test'))
  expect(await readPurchase(body)).toMatchObject({ status: 'EXPIRED' })
  expect(await listingOf(listing.id)).toMatchObject({ quantityOpen: 0n })
})

test('a reorg of a voucher’s mint sets the purchase back to ASSIGNED until it is minted again', async () => {
  const { listing } = await offer()
  const { body } = await buyAsBuyer(listing)
  const snapshot = await local.node.snapshot()
  await payVoucher(body.data)
  await catchUp()
  expect(await readPurchase(body)).toMatchObject({ fulfillment_status: 'COMPLETED' })
  await local.node.revert({ id: snapshot })
  await local.node.mine({ blocks: 3 })
  await catchUp()
  expect(await readPurchase(body)).toMatchObject({ fulfillment_status: 'ASSIGNED', completed_at: null })
  await payVoucher(body.data)
  await catchUp()
  expect(await readPurchase(body)).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'COMPLETED' })
})

test('a card purchase is minted by us and completed', async () => {
  const { listing, sender } = await offer({ price: 1500, currency: 'EUR', payment_providers: ['CARD_PROVIDER'] })
  const { body } = await buyAsBuyer(listing)
  await pay(body.data)
  await deliverCardEvents()
  await sender.run()
  await catchUp()
  expect(await readPurchase(body)).toMatchObject({
    status: 'CONFIRMED',
    fulfillment_status: 'COMPLETED',
    delivery: { state: 'CONFIRMED' },
  })
})

test('a purchased item minted to another address is refunded', async () => {
  const { listing, sender, collectionId, contract } = await offer({
    price: 1500,
    currency: 'EUR',
    payment_providers: ['CARD_PROVIDER'],
  })
  const { body } = await buyAsBuyer(listing)
  await pay(body.data)
  await deliverCardEvents()
  const owner = await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })
  expect(owner.contractAddress).toBe(contract)
  // Our own key mints it to another address, without a row in the database.
  await sendForgotten(local, { to: contract, data: encodeAdminMint721([{ to: makeRandomAddress(), tokenId: 1n }]) })
  await recover(local)
  await sender.run()
  await local.node.mine({ blocks: 2 })
  await sender.run()
  await drainJobs()
  await deliverCardEvents()
  await deliverCardEvents()
  expect(await readPurchase(body)).toMatchObject({ status: 'REFUNDED', fulfillment_status: 'EXCEPTION' })
})

test('a free purchase to an address is minted by us', async () => {
  const { listing, sender } = await offer({ ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] })
  const { body } = await buyAsBuyer(listing)
  await sender.run()
  await catchUp()
  expect(await readPurchase(body)).toMatchObject({
    status: 'CONFIRMED',
    fulfillment_status: 'COMPLETED',
    delivery: { state: 'CONFIRMED' },
  })
})
