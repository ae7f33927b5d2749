import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { resetClock } from '../../lib/core/clock.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'
import { ports } from '../../lib/ports/ports.ts'
import { call } from '../support/call.ts'
import { makeTransfer1155, makeVoucherRedeemed, ZERO_ADDRESS } from '../support/chain-logs.ts'
import { installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import {
  buy,
  cancelPurchase,
  connectCards,
  deliverCardEvents,
  FREE_PRICE,
  makeAddressBuyer,
  makeBuyer,
  makeListing,
  pay,
  readPurchase,
  setPayoutAddress,
} from '../support/selling.ts'

const BUYER = { 'x-client-address': '192.0.2.1' }
const STRANGER = { 'x-client-address': '198.51.100.7' }
const OTHER_STRANGER = { 'x-client-address': '203.0.113.9' }

let organization: TestOrganization

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
  await setPayoutAddress(organization)
})
beforeEach(resetClock)
// The fake chain knows no owners.
afterEach(async () => {
  const findings = await verifyRecords(systemContext('test'))
  expect(findings.filter(({ check }) => check !== 'owners are the chain’s')).toEqual([])
})

const edition = (more: object = {}) =>
  makeListing(organization, { item: { tokenType: 'ERC1155', maxSupply: 40n }, quantity_listed: 40, ...more })
const byVoucher = { price: 1000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }
const outcome = ({ status, body }: { status: number; body: any }) => [status, body.code]
const eligibility = async (listing: { id: string }, email: string, headers: Record<string, string>) =>
  (
    await call('GET', `/public/v1/listings/redemption-eligibility?listing_id=${listing.id}&email_address=${email}`, {
      headers,
    })
  ).body
const bought = async (listing: { id: string }, buyer: object, headers: Record<string, string>) => {
  const { body } = await buy(listing.id, { buyer }, headers)
  await pay(body.data)
  await deliverCardEvents()
  return body
}

let block = 100
/** The chain says that a purchase's voucher was used. */
async function redeemOnChain(listing: { id: string }, { data: { minter, voucher } }: { data: any }): Promise<void> {
  const { collectionId } = await organization.ctx.db.listing.findFirstOrThrow({ where: { id: listing.id } })
  const collection = { id: collectionId, organizationId: organization.id, networkId: 31337 }
  const place = { block: ++block, tx: `${block}` }
  const ids = [BigInt(voucher.token_id)]
  const worker = systemContext('test')
  await inTransaction(worker, (tx) =>
    projectLogs(tx, [
      makeVoucherRedeemed(collection, { ...place, index: 0 }, BigInt(voucher.nonce)),
      makeTransfer1155(collection, { ...place, index: 1 }, ZERO_ADDRESS, minter as Hex, ids, [1n]),
    ]),
  )
  await applyVoucherFacts(worker, ports().chains.get(31337)!)
}

describe.each([
  ['mailbox', makeBuyer],
  ['address', makeAddressBuyer],
])('purchases that strangers open in the name of a %s', (_, makePerson) => {
  test('don’t use up how many purchases that buyer may have open', async () => {
    const listing = await edition()
    const buyer = makePerson()
    for (let at = 0; at < 3; at++) expect((await buy(listing.id, { buyer }, STRANGER)).status).toBe(201)
    const refused = await buy(listing.id, { buyer }, STRANGER)
    expect([...outcome(refused), refused.body.open_purchases.length]).toEqual([429, 'purchases_open', 3])
    for (let at = 0; at < 3; at++) expect((await buy(listing.id, { buyer }, BUYER)).status).toBe(201)
    expect(outcome(await buy(listing.id, { buyer }, BUYER))).toEqual([429, 'purchases_open'])
  })

  test('don’t use up how many that buyer may have of a listing', async () => {
    const listing = await edition({ policy: { max_per_user: 1 } })
    const buyer = makePerson()
    expect((await buy(listing.id, { buyer }, STRANGER)).status).toBe(201)
    expect(outcome(await buy(listing.id, { buyer }, STRANGER))).toEqual([409, 'limit_reached'])
    expect((await buy(listing.id, { buyer }, BUYER)).status).toBe(201)
  })
})

test('open purchases count for the client that made them, whomever they name', async () => {
  const listing = await edition()
  for (let at = 0; at < 10; at++) expect((await buy(listing.id, {}, STRANGER)).status).toBe(201)
  expect(outcome(await buy(listing.id, {}, STRANGER))).toEqual([429, 'purchases_open'])
  expect((await buy(listing.id, {}, BUYER)).status).toBe(201)
})

test('addresses of one IPv6 network are one client', async () => {
  const listing = await edition()
  for (let at = 0; at < 10; at++)
    expect((await buy(listing.id, {}, { 'x-client-address': `2001:db8:1:2::${at + 1}` })).status).toBe(201)
  expect(outcome(await buy(listing.id, {}, { 'x-client-address': '2001:db8:1:2:ffff::1' }))).toEqual([
    429,
    'purchases_open',
  ])
  expect((await buy(listing.id, {}, { 'x-client-address': '2001:db8:1:3::1' })).status).toBe(201)
})

test('eligibility counts for a client what that client would be refused for', async () => {
  const listing = await edition({ policy: { max_per_user: 1 } })
  const buyer = makeBuyer()
  await buy(listing.id, { buyer }, STRANGER)
  expect(await eligibility(listing, buyer.email, STRANGER)).toMatchObject({ is_eligible: false, quantity_claimed: '1' })
  expect(await eligibility(listing, buyer.email, BUYER)).toMatchObject({ is_eligible: true, quantity_claimed: '0' })
  await bought(listing, buyer, BUYER)
  expect(await eligibility(listing, buyer.email, BUYER)).toMatchObject({ is_eligible: false, quantity_claimed: '1' })
  expect(await eligibility(listing, buyer.email, STRANGER)).toMatchObject({ is_eligible: false, quantity_claimed: '2' })
})

describe('max_per_user is checked again when a purchase confirms', () => {
  test('three clients pay for one buyer who may have one: one is delivered, two are refunded with the reason', async () => {
    const listing = await edition({ policy: { max_per_user: 1 } })
    const buyer = makeBuyer()
    const purchases = []
    for (const headers of [BUYER, STRANGER, OTHER_STRANGER])
      purchases.push((await buy(listing.id, { buyer }, headers)).body)
    await Promise.all(purchases.map(({ data }) => pay(data)))
    for (let round = 0; round < 3; round++) await Promise.all([deliverCardEvents(), deliverCardEvents()])
    const states = await Promise.all(purchases.map(readPurchase))
    expect(states.map(({ status }) => status).sort()).toEqual(['CONFIRMED', 'REFUNDED', 'REFUNDED'])
    for (const { failure } of states.filter(({ status }) => status === 'REFUNDED'))
      expect(failure).toBe('When it was paid, this buyer had as many as one buyer can have.')
    const row = await organization.ctx.db.listing.findFirstOrThrow({ where: { id: listing.id } })
    expect([row.quantityOpen, row.quantityConfirmed]).toEqual([0n, 1n])
    const claims = await organization.ctx.db.emailClaim.count({ where: { purchaseIntent: { listingId: listing.id } } })
    expect(claims).toBe(1)
    const ids = purchases.map(({ id }) => id)
    expect(await organization.ctx.db.event.count({ where: { type: 'purchase.confirmed', key: { in: ids } } })).toBe(1)
  })

  test('a free purchase beyond the limit is refused, whoever makes it', async () => {
    const listing = await edition({
      ...FREE_PRICE,
      payment_providers: ['ORGANIZATION'],
      policy: { max_per_user: 1 },
    })
    const buyer = makeAddressBuyer()
    expect((await buy(listing.id, { buyer }, STRANGER)).status).toBe(201)
    expect(outcome(await buy(listing.id, { buyer }, BUYER))).toEqual([409, 'limit_reached'])
  })

  test('a voucher that was given up counts for its address while it can be redeemed, and for good once it is', async () => {
    const listing = await edition({ ...byVoucher, policy: { max_per_user: 1 } })
    const buyer = makeAddressBuyer()
    const first = (await buy(listing.id, { buyer }, BUYER)).body
    expect((await cancelPurchase(first)).status).toBe(204)
    expect(outcome(await buy(listing.id, { buyer }, OTHER_STRANGER))).toEqual([409, 'limit_reached'])
    await redeemOnChain(listing, first)
    expect(await readPurchase(first)).toMatchObject({ status: 'CONFIRMED' })
    expect(outcome(await buy(listing.id, { buyer }, OTHER_STRANGER))).toEqual([409, 'limit_reached'])
  })

  test('a voucher that is redeemed is confirmed even when its buyer has as many as one may have', async () => {
    const listing = await edition({ ...byVoucher, policy: { max_per_user: 1 } })
    const purchase = (await buy(listing.id, { buyer: makeAddressBuyer() }, BUYER)).body
    await organization.ctx.db.listing.updateMany({ where: { id: listing.id }, data: { maxPerUser: 0n } })
    await redeemOnChain(listing, purchase)
    expect(await readPurchase(purchase)).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'COMPLETED' })
  })
})

test('a purchase whose address was proved counts for that address, whichever client asks', async () => {
  const listing = await edition({ ...byVoucher, max_quantity_per_tx: 2, policy: { max_per_user: 2 } })
  const owner = privateKeyToAccount(generatePrivateKey())
  const buyer = { eth_address: owner.address }
  const { id } = (await buy(listing.id, { buyer }, STRANGER)).body
  const path = `/public/v1/purchase-intents/${id}`
  const { typed_data } = (await call('GET', `${path}/challenge?action=TAKE_OVER`)).body
  const body = { nonce: typed_data.message.nonce, signature: await owner.signTypedData(typed_data) }
  expect((await call('POST', `${path}/take-over`, { body, headers: BUYER })).status).toBe(200)
  const query = `listing_id=${listing.id}&eth_address=${owner.address}`
  const { body: standing } = await call('GET', `/public/v1/listings/redemption-eligibility?${query}`, {
    headers: OTHER_STRANGER,
  })
  expect(standing).toMatchObject({ quantity_claimed: '1' })
})

test.each([
  ['ada.lovelace@gmail.com', 'adalovelace+drop@googlemail.com', true],
  ['ada@outlook.com', 'Ada+1@Outlook.com', true],
  ['ada@proton.me', 'ada+x+y@proton.me', true],
  ['ada.l@outlook.com', 'adal@outlook.com', false],
  ['ada@example.com', 'ada+1@example.com', false],
  ['a.da@example.com', 'ada@example.com', false],
  ['ada@notgmail.com', 'ada+1@notgmail.com', false],
])('%s and %s are one buyer: that is %s', async (first, second, isOne) => {
  const listing = await edition({ policy: { max_per_user: 1 } })
  await bought(listing, { email: first }, BUYER)
  const again = await buy(listing.id, { buyer: { email: second } }, STRANGER)
  expect(outcome(again)).toEqual(isOne ? [409, 'limit_reached'] : [201, undefined])
})

test('mail goes to the address as it was given, and an allow list admits exactly its addresses', async () => {
  const listing = await edition({
    policy: { type: 'ALLOW_LIST', email_addresses: ['g.race+art@gmail.com'] },
  })
  expect(outcome(await buy(listing.id, { buyer: { email: 'grace@gmail.com' } }, STRANGER))).toEqual([
    422,
    'not_eligible',
  ])
  const { id } = await bought(listing, { email: 'g.race+art@gmail.com' }, BUYER)
  const claim = await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { purchaseIntentId: id } })
  expect(claim.email).toBe('g.race+art@gmail.com')
  const mails = await organization.ctx.db.outboxMessage.findMany({ where: { toEmail: claim.email } })
  expect(mails).toHaveLength(2)
})
