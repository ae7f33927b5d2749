import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { releaseHolds } from '../../lib/stock/advance-hold.ts'
import { call } from '../support/call.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { connectCards, FREE_PRICE, makeListing, setPayoutAddress } from '../support/selling.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('A hold is released by hand.', 'a listing on sale holds what it can still sell')

const BY_VOUCHER = { price: 1000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }
const freeBy = (...payment_providers: string[]) => ({ ...FREE_PRICE, payment_providers })
const FREE_MINT = freeBy('BETA_FREE_MINT')
const BY_MAIL = freeBy('EMAIL_CLAIM')
const BY_CARD = {}

const limits = { gas: env.NEWCOMER_GAS_GWEI, mails: env.NEWCOMER_MAILS_PER_DAY }
let organization: TestOrganization
beforeEach(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
  await setPayoutAddress(organization)
})
afterEach(() => void Object.assign(env, { NEWCOMER_GAS_GWEI: limits.gas, NEWCOMER_MAILS_PER_DAY: limits.mails }))

type Listing = { id: string; collection_id: string; item_id: string }
const ofCollection = (data: object) => (listing: Listing) =>
  systemClient().collection.update({ where: { id: listing.collection_id }, data })
const ofItem = (data: object) => (listing: Listing) =>
  systemClient().item.update({ where: { id: listing.item_id }, data })
const asNewcomer = (settings: object) => () => {
  Object.assign(env, settings)
  return systemClient().organization.update({ where: { id: organization.id }, data: { newcomerSince: new Date() } })
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

const eligibility = async ({ id }: Listing) =>
  (await call('GET', `/public/v1/listings/redemption-eligibility?listing_id=${id}`)).body
const shown = async ({ id }: Listing) => (await call('GET', `/public/v1/listings/${id}`)).body.reason
const listed = async ({ id }: Listing) => {
  const { body } = await call('GET', `/public/v1/listings?organization_id=${organization.id}`)
  return body.results.find((each: Listing) => each.id === id).reason
}
const buy = async ({ id }: Listing, provider: string | null, headers = {}) =>
  call('POST', '/public/v1/purchase-intents', {
    body: {
      buyer: provider === 'EMAIL_CLAIM' ? { email: 'ada@example.com' } : { eth_address: makeRandomAddress() },
      listing_id: id,
      provider,
    },
    headers,
  })

type Case = {
  reason: string
  offer: Record<string, unknown>
  happens: (listing: Listing) => Promise<unknown>
  ends: (listing: Listing) => Promise<unknown>
  code: string
}
const approved = () =>
  systemClient().organization.update({ where: { id: organization.id }, data: { newcomerSince: null } })
const noPromises = {
  reason: 'RECOVERING',
  happens: ofCollection({ promisesFrom: inDays(3) }),
  ends: ofCollection({ promisesFrom: inDays(-1) }),
  code: 'recovering',
}
const minterGone = {
  reason: 'OPERATOR_MISSING',
  happens: ofCollection({ minter: makeRandomAddress() }),
  ends: ofCollection({ minter: null }),
  code: 'operator_gone',
}
const inCustody = { minted: 1n, custodian: makeRandomAddress() }
const CASES: Record<string, Case> = {
  'after a backup was put back: by voucher': { ...noPromises, offer: BY_VOUCHER },
  'after a backup was put back: by card': { ...noPromises, offer: BY_CARD },
  'after a backup was put back: free': { ...noPromises, offer: FREE_MINT },
  'after a backup was put back: by mail': { ...noPromises, offer: BY_MAIL },
  'without the key of the collection’s operator: by card': { ...minterGone, offer: BY_CARD },
  'without the key of the collection’s operator: free': { ...minterGone, offer: FREE_MINT },
  'without the key of the collection’s operator: by mail': { ...minterGone, offer: BY_MAIL },
  'a token in custody of an operator without a key': {
    reason: 'OPERATOR_MISSING',
    offer: FREE_MINT,
    happens: ofItem(inCustody),
    ends: ofItem({ minted: 0n, custodian: null }),
    code: 'operator_gone',
  },
  'a token that came into custody: by voucher': {
    reason: 'MINTED_ALREADY',
    offer: BY_VOUCHER,
    happens: ofItem(inCustody),
    ends: ofItem({ minted: 0n, custodian: null }),
    code: 'voucher_unsupported',
  },
  'without the key of the collection’s voucher signer': {
    reason: 'VOUCHER_KEY_MISSING',
    offer: BY_VOUCHER,
    happens: ofCollection({ signer: makeRandomAddress() }),
    ends: ofCollection({ signer: null }),
    code: 'unavailable',
  },
  'the gas budget is spent: free': {
    reason: 'GAS_BUDGET_SPENT',
    offer: FREE_MINT,
    happens: asNewcomer({ NEWCOMER_GAS_GWEI: '1' }),
    ends: approved,
    code: 'gas_budget_spent',
  },
  'the quota of mails is used up: by mail': {
    reason: 'MAIL_QUOTA_SPENT',
    offer: BY_MAIL,
    happens: asNewcomer({ NEWCOMER_MAILS_PER_DAY: 0 }),
    ends: approved,
    code: 'rate_limited',
  },
}

describe('eligibility, the listing and a purchase agree', () => {
  test.each(Object.entries(CASES))('they agree in this case: %s', async (_, { reason, offer, happens, ends, code }) => {
    const listing: Listing = await makeListing(organization, offer)
    expect([await eligibility(listing), await shown(listing)]).toMatchObject([{ is_eligible: true }, null])
    await happens(listing)
    expect(await eligibility(listing)).toMatchObject({
      is_eligible: false,
      reason,
      reason_detail: expect.stringMatching(/\.$/),
    })
    expect([await shown(listing), await listed(listing)]).toEqual([reason, reason])
    const [provider] = (listing as unknown as { payment_providers: string[] }).payment_providers
    expect((await buy(listing, provider!)).body.code).toBe(code)
    expect((await buy(listing, provider!, { 'idempotency-key': newId() })).body.code).toBe(code)
    expect(await systemClient().purchaseIntent.count({ where: { listingId: listing.id } })).toBe(0)

    await ends(listing)
    expect([await eligibility(listing), await shown(listing)]).toMatchObject([{ is_eligible: true }, null])
    expect((await buy(listing, provider!)).status).toBe(201)
  })

  test('nothing of a listing’s units is held any more, since others got them', async () => {
    const listing: Listing = await makeListing(organization, FREE_MINT)
    await inTransaction(organization.ctx, (tx) => releaseHolds(tx, { type: 'LISTING', id: listing.id }))
    expect(await eligibility(listing)).toMatchObject({ is_eligible: false, reason: 'SOLD_OUT' })
    expect(await shown(listing)).toBe('SOLD_OUT')
    expect((await buy(listing, 'BETA_FREE_MINT')).body.code).toBe('sold_out')
  })

  test('one way of several is open: eligible, and only the other way is refused', async () => {
    const listing: Listing = await makeListing(organization, freeBy('BETA_FREE_MINT', 'EMAIL_CLAIM'))
    await asNewcomer({ NEWCOMER_GAS_GWEI: '1' })()
    expect([await eligibility(listing), await shown(listing)]).toMatchObject([{ is_eligible: true }, null])
    expect((await buy(listing, 'BETA_FREE_MINT')).body.code).toBe('gas_budget_spent')
    expect((await buy(listing, 'EMAIL_CLAIM')).status).toBe(201)
  })
})
