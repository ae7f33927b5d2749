import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { zeroAddress } from 'viem'
import { endpoints } from '../../lib/platform/api/index.ts'
import { authenticate, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { advanceListingsByTime } from '../../lib/offers/listings/advance-listings-by-time.ts'
import { getOffered } from '../../lib/offers/listings/get-offered.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { type ApiResponse, call, callerOf, code } from '../support/call.ts'
import { makeRandomAddress, caller, makeItem, installFakeChain } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makePool } from '../support/listings.ts'
import { makeRows } from '../support/rows.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'

const HOUR = 3600_000
const PAYOUT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let chain: ReturnType<typeof installFakeChain>
const open = callerOf()

beforeAll(async () => {
  chain = installFakeChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
afterEach(resetClock)

const field = (answer: ApiResponse) => [...code(answer), answer.body.errors[0]?.field]
const edition = async (maxSupply = 100n, of = mine) => (await makeItem(of, { tokenType: 'ERC1155', maxSupply })).itemId
const offer = { quantity_listed: 10, price: 0, currency: 'ETH', payment_providers: ['ORGANIZATION'] }
const list = async (more: object = {}) => api.post('/v1/listings', { item_id: await edition(), ...offer, ...more })
const held = async (itemId: string) => (await mine.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })).held
const later = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
const setPayout = (payoutAddress: string | null) =>
  mine.ctx.db.organization.update({ where: { id: mine.id }, data: { payoutAddress } })
const connectCards = (of = mine, mode: 'TEST' | 'LIVE' = 'TEST', more: object = {}) =>
  of.ctx.db.paymentIntegration.create({
    data: {
      id: newId(),
      organizationId: of.id,
      mode,
      adapter: mode === 'TEST' ? 'SANDBOX' : 'STRIPE',
      status: 'ACTIVE',
      chargesEnabled: true,
      accountId: newId(),
      requirements: [],
      ...more,
    },
  })

describe('creating a listing', () => {
  test('a new listing holds its units and is shown to its organization and, with fewer fields, in public', async () => {
    const item_id = await edition()
    const created = await api.post('/v1/listings', {
      item_id,
      ...offer,
      max_quantity_per_tx: 3,
      policy: {
        max_per_user: 5,
        payment_session_duration: { timeout_seconds: 600, provider_override: { ORGANIZATION: 60 } },
      },
    })
    expect(created.status).toBe(201)
    const { id, collection_id, contract, created_at, updated_at } = created.body
    const shown = {
      id,
      organization_id: mine.id,
      campaign_id: null,
      collection_id,
      item_id,
      contract,
      network_id: 31337,
      currency: 'ETH',
      currency_address: zeroAddress,
      price: '0',
      price_currency_decimals: 18,
      payment_providers: ['ORGANIZATION'],
      policy_type: 'FCFS',
      status: 'ACTIVE',
      start_time: null,
      end_time: null,
      max_per_user: 5,
      max_quantity_per_tx: 3,
      quantity_listed: 10,
      quantity_remaining: 10,
      sold_out: false,
      tx_payer: 'SELLER',
      proof_of_work: false,
    }
    const admin = {
      ...shown,
      policy: {
        type: 'FCFS',
        max_per_user: 5,
        snapshot_id: null,
        payment_session_duration: { timeout_seconds: 600, provider_override: { ORGANIZATION: 60 } },
        email_claim_duration: null,
        item_assignment_strategy: 'AUTOMATIC',
        tx_payer: 'SELLER',
      },
      sale_type: 'DEFAULT',
      mode: 'TEST',
      quantity_open: 0,
      quantity_confirmed: 0,
      checkout_url: `http://localhost:3000/l/${id}`,
      created_at,
      updated_at,
    }
    expect(created.body).toEqual(admin)
    expect((await api.get(`/v1/listings/${id}`)).body).toMatchObject(admin)
    const inShop = {
      ...shown,
      title: 'Moonflower',
      image: null,
      checkout_url: admin.checkout_url,
      suspended: false,
      reason: null,
    }
    expect((await open.get(`/public/v1/listings/${id}`)).body).toEqual(inShop)
    expect((await open.get(`/public/v1/listings?organization_id=${mine.id}&item_id=${item_id}`)).body).toEqual({
      cursor: null,
      has_more: false,
      results: [inShop],
      total_results: 1,
    })
    expect((await api.get(`/v1/listings?item_id=${item_id}&status=ACTIVE`)).body.results).toEqual([admin])
    const holds = await api.get(`/v1/items/${item_id}/holds`)
    expect(holds.body.results).toMatchObject([{ holder_type: 'LISTING', holder_id: id, quantity: 10, state: 'HELD' }])
    expect(await mine.ctx.db.event.count({ where: { type: 'listing.created', key: id } })).toBe(1)
  })

  test('a listing needs exactly one of item and collection, locked, deployed, own and with enough units', async () => {
    expect(field(await api.post('/v1/listings', offer))).toEqual([400, 'invalid_request', 'item_id'])
    const { itemId, collectionId } = await makeItem(mine)
    expect(code(await api.post('/v1/listings', { ...offer, item_id: itemId, collection_id: collectionId }))).toEqual([
      400,
      'invalid_request',
    ])
    expect(code(await list({ item_id: newId() }))).toEqual([404, 'not_found'])
    const unlocked = await makeItem(mine, { locked: false })
    expect(code(await list({ item_id: unlocked.itemId }))).toEqual([409, 'item_not_locked'])
    const undeployed = await makeItem(mine, { deployed: false })
    expect(code(await list({ item_id: undeployed.itemId }))).toEqual([409, 'collection_not_deployed'])
    expect(field(await list({ item_id: itemId }))).toEqual([422, 'supply_invalid', 'quantity_listed'])
    const editions = await makeItem(mine, { tokenType: 'ERC1155' })
    expect(field(await api.post('/v1/listings', { ...offer, collection_id: editions.collectionId }))).toEqual([
      422,
      'supply_invalid',
      'collection_id',
    ])
    expect(code(await list({ quantity_listed: 101 }))).toEqual([409, 'sold_out'])
    const foreign = await makeOrganization()
    expect(code(await list({ item_id: await edition(1n, foreign) }))).toEqual([404, 'not_found'])
    expect(code(await list({ campaign_id: newId() }))).toEqual([404, 'not_found'])
  })

  test('providers are all fiat or all crypto and fit the currency; a free provider needs price 0', async () => {
    await setPayout(PAYOUT)
    expect(
      field(await list({ payment_providers: ['CARD_PROVIDER', 'MINT_VOUCHER'], price: 100, currency: 'EUR' })),
    ).toEqual([422, 'currency_invalid', 'payment_providers'])
    expect(field(await list({ payment_providers: ['CARD_PROVIDER'], price: 100 }))).toEqual([
      422,
      'currency_invalid',
      'currency',
    ])
    expect(field(await list({ payment_providers: ['MINT_VOUCHER'], price: 100, currency: 'EUR' }))).toEqual([
      422,
      'currency_invalid',
      'currency',
    ])
    expect(field(await list({ currency: 'DOGE' }))).toEqual([422, 'currency_invalid', 'currency'])
    for (const provider of ['EMAIL_CLAIM', 'ORGANIZATION', 'BETA_FREE_MINT']) {
      expect(field(await list({ payment_providers: [provider], price: 1 }))).toEqual([422, 'price_invalid', 'price'])
      expect((await list({ payment_providers: [provider], currency: 'USD' })).status).toBe(201)
    }
    for (const currency of ['usdc', TOKEN.toLowerCase()])
      expect((await list({ payment_providers: ['MINT_VOUCHER'], price: '2500000', currency })).body).toMatchObject({
        currency: 'USDC',
        currency_address: TOKEN,
        price: '2500000',
        price_currency_decimals: 6,
      })
    expect(field(await list({ payment_providers: ['MINT_VOUCHER'], price: (2n ** 256n).toString() }))).toEqual([
      422,
      'price_invalid',
      'price',
    ])
  })

  test('MINT_VOUCHER needs a payout address, one unit per transaction of ERC-721, and our minter', async () => {
    await setPayout(null)
    expect(field(await list({ payment_providers: ['MINT_VOUCHER'], price: 1 }))).toEqual([
      422,
      'payout_address_missing',
      'payment_providers',
    ])
    await setPayout(PAYOUT)
    expect((await list({ payment_providers: ['MINT_VOUCHER'], price: 1, max_quantity_per_tx: 5 })).status).toBe(201)
    const { itemId } = await makeItem(mine)
    expect(
      field(
        await list({
          item_id: itemId,
          quantity_listed: 1,
          payment_providers: ['MINT_VOUCHER'],
          price: 1,
          max_quantity_per_tx: 2,
        }),
      ),
    ).toEqual([422, 'quantity_invalid', 'max_quantity_per_tx'])
    const external = await makeItem(mine, { tokenType: 'ERC1155', maxSupply: 10n })
    await mine.ctx.db.collection.update({
      where: { id: external.collectionId },
      data: { deploymentType: 'EXTERNAL', minter: PAYOUT },
    })
    expect(code(await list({ item_id: external.itemId, payment_providers: ['MINT_VOUCHER'], price: 1 }))).toEqual([
      422,
      'voucher_unsupported',
    ])
    expect(field(await list({ item_id: external.itemId, policy: { tx_payer: 'BUYER' } }))).toEqual([
      422,
      'voucher_unsupported',
      'policy.tx_payer',
    ])
    await mine.ctx.db.collection.update({ where: { id: external.collectionId }, data: { minter: null } })
    expect(code(await list({ item_id: external.itemId }))).toEqual([422, 'provider_not_configured'])
  })

  test('CARD_PROVIDER needs an active account of the network’s mode, and a price within its limits', async () => {
    const card = { payment_providers: ['CARD_PROVIDER'], price: 1500, currency: 'EUR' }
    expect(field(await list(card))).toEqual([422, 'provider_not_configured', 'payment_providers'])
    await connectCards(mine, 'LIVE')
    expect(code(await list(card))).toEqual([422, 'provider_not_configured'])
    await connectCards()
    for (const [currency, least, decimals] of [
      ['USD', 50, 2],
      ['EUR', 50, 2],
      ['GBP', 30, 2],
      ['JPY', 50, 0],
    ] as const) {
      expect(field(await list({ ...card, currency, price: least - 1 }))).toEqual([422, 'price_invalid', 'price'])
      expect((await list({ ...card, currency, price: least })).body).toMatchObject({
        currency,
        price: String(least),
        price_currency_decimals: decimals,
        currency_address: null,
      })
    }
    expect(code(await list({ ...card, price: 99_999_999, max_quantity_per_tx: 2 }))).toEqual([422, 'price_invalid'])
  })

  test('a listing’s link shows what it sells, also of a private collection; a draft’s does not', async () => {
    const { itemId, collectionId } = await makeItem(mine, { isPublic: false, title: 'For friends' })
    const { body } = await list({ item_id: itemId, quantity_listed: 1 })
    const ctx = await authenticate('anonymous', new Request('http://localhost'), {}, caller)
    expect(await getOffered(ctx, body.id)).toMatchObject({
      isItem: true,
      collection: { id: collectionId },
      items: [{ id: itemId, title: 'For friends' }],
    })
    const pool = await makePool(mine, 6)
    await mine.ctx.db.collection.update({ where: { id: pool.collectionId }, data: { isPublic: false } })
    const any = await list({ item_id: null, collection_id: pool.collectionId, quantity_listed: 2 })
    expect((await getOffered(ctx, any.body.id)).items).toHaveLength(4)
    const draft = await list({ status: 'DRAFT' })
    await expect(getOffered(ctx, draft.body.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a TEST key cannot list an item of a LIVE network', async () => {
    const { itemId, collectionId } = await makeItem(mine, { tokenType: 'ERC1155', maxSupply: 10n })
    await mine.ctx.db.collection.update({ where: { id: collectionId }, data: { mode: 'LIVE' } })
    expect(code(await list({ item_id: itemId }))).toEqual([422, 'mode_mismatch'])
    const live = callerOf((await makeKey(mine, { mode: 'LIVE' })).key)
    expect((await live.post('/v1/listings', { ...offer, item_id: itemId })).body).toMatchObject({
      mode: 'LIVE',
      status: 'ACTIVE',
    })
  })

  test('no operation lets a TEST key change a LIVE listing, purchase or its claim', async () => {
    const other = await makeOrganization()
    const rows = await makeRows(other)
    await other.ctx.db.listing.update({ where: { id: rows.listing_id! }, data: { mode: 'LIVE' } })
    await other.ctx.db.purchaseIntent.update({ where: { id: rows.purchase_intent_id! }, data: { mode: 'LIVE' } })
    const writes = endpoints.filter(
      ({ method, path, auth }) =>
        method !== 'GET' && auth === 'api_key' && /\{(listing_id|purchase_intent_id)\}/.test(path),
    )
    expect(writes.map(({ id }) => id).sort()).toEqual([
      'cancel-listing',
      'change-allow-list',
      'refund-purchase-intent',
      'resolve-purchase-intent',
      'update-listing',
    ])
    for (const { method, path, example } of writes) {
      const answer = await call(
        method,
        path.replace(/\{(\w+)\}/g, (_, name: string) => rows[name]!),
        { key: other.key, ...(example !== undefined && { body: example }) },
      )
      expect([path, ...code(answer)]).toEqual([path, 422, 'mode_mismatch'])
    }
    expect((await other.ctx.db.listing.findFirstOrThrow({ where: { id: rows.listing_id! } })).status).toBe('ACTIVE')

    await other.ctx.db.collection.update({ where: { id: rows.collection_id! }, data: { mode: 'LIVE' } })
    await other.ctx.db.emailClaim.update({
      where: { id: rows.email_claim_id! },
      data: { purchaseIntentId: rows.purchase_intent_id! },
    })
    expect(code(await callerOf(other.key).delete(`/v1/email-claims/${rows.email_claim_id}`))).toEqual([
      422,
      'mode_mismatch',
    ])
  })

  test('contradicting and invalid fields are named', async () => {
    expect(field(await list({ start_time: later(2), end_time: later(1) }))).toEqual([
      400,
      'invalid_request',
      'end_time',
    ])
    expect(field(await list({ end_time: later(-1) }))).toEqual([400, 'invalid_request', 'end_time'])
    expect(field(await list({ policy: { type: 'SNAPSHOT' } }))).toEqual([400, 'invalid_request', 'policy.snapshot_id'])
    expect(field(await list({ policy: { eth_addresses: [PAYOUT] } }))).toEqual([400, 'invalid_request', 'policy.type'])
    expect(field(await list({ quantity_listed: 0 }))).toEqual([400, 'invalid_request', 'quantity_listed'])
    expect(field(await list({ payment_providers: [] }))).toEqual([400, 'invalid_request', 'payment_providers'])
    expect(field(await list({ policy: { wrong: 1 } }))).toEqual([400, 'invalid_request', 'policy.wrong'])
  })

  test('a draft is not public and holds nothing until set to ACTIVE', async () => {
    const { body: draft } = await list({ status: 'DRAFT' })
    expect(draft.status).toBe('DRAFT')
    expect(await held(draft.item_id)).toBe(0n)
    expect(code(await open.get(`/public/v1/listings/${draft.id}`))).toEqual([404, 'not_found'])
    expect(field(await api.patch(`/v1/listings/${draft.id}`, { status: 'PAUSED' }))).toEqual([
      400,
      'invalid_request',
      'status',
    ])
    expect(await mine.ctx.db.event.count({ where: { type: 'listing.created', key: draft.id } })).toBe(0)
    expect((await api.patch(`/v1/listings/${draft.id}`, { status: 'ACTIVE' })).body.status).toBe('ACTIVE')
    expect(await held(draft.item_id)).toBe(10n)
    expect(await mine.ctx.db.event.count({ where: { type: 'listing.created', key: draft.id } })).toBe(1)
    const { body: unwanted } = await list({ status: 'DRAFT' })
    expect((await api.delete(`/v1/listings/${unwanted.id}`)).status).toBe(204)
    expect(code(await api.get(`/v1/listings/${unwanted.id}`))).toEqual([404, 'not_found'])
  })
})

describe('listing times', () => {
  test('reads show a listing’s start and end at once; its row follows when the worker runs', async () => {
    const { body: listing } = await list({ start_time: later(1), end_time: later(2) })
    expect(listing.status).toBe('SCHEDULED')
    expect(await held(listing.item_id)).toBe(10n)
    const shownStatus = async () => (await open.get(`/public/v1/listings/${listing.id}`)).body.status
    const storedStatus = async () => (await mine.ctx.db.listing.findFirstOrThrow({ where: { id: listing.id } })).status
    const found = async (status: string) =>
      (await api.get(`/v1/listings?item_id=${listing.item_id}&status=${status}`)).body.total_results
    await advanceListingsByTime(systemContext())
    expect([await shownStatus(), await storedStatus(), await found('SCHEDULED'), await found('ACTIVE')]).toEqual([
      'SCHEDULED',
      'SCHEDULED',
      1,
      0,
    ])
    moveClock(1.5 * HOUR)
    expect([await shownStatus(), await storedStatus(), await found('SCHEDULED'), await found('ACTIVE')]).toEqual([
      'ACTIVE',
      'SCHEDULED',
      0,
      1,
    ])
    await advanceListingsByTime(systemContext())
    expect([await shownStatus(), await storedStatus()]).toEqual(['ACTIVE', 'ACTIVE'])
    moveClock(HOUR)
    expect([await shownStatus(), await storedStatus(), await found('EXPIRED'), await found('ACTIVE')]).toEqual([
      'EXPIRED',
      'ACTIVE',
      1,
      0,
    ])
    await advanceListingsByTime(systemContext())
    expect([await shownStatus(), await storedStatus(), await held(listing.item_id)]).toEqual(['EXPIRED', 'EXPIRED', 0n])
    expect(code(await api.patch(`/v1/listings/${listing.id}`, { end_time: later(9) }))).toEqual([409, 'listing_over'])
    expect(code(await api.delete(`/v1/listings/${listing.id}`))).toEqual([409, 'listing_over'])
  })

  test('a listing starts and ends at the moments that were given, and not a millisecond before', async () => {
    const { body } = await list({ start_time: later(1), end_time: later(2) })
    const row = () => mine.ctx.db.listing.findFirstOrThrow({ where: { id: body.id } })
    const { startsAt, endsAt } = await row()
    const statusAt = async (at: Date, ms: number) => {
      await advanceListingsByTime({ ...systemContext(), now: () => new Date(at.getTime() + ms) })
      return (await row()).status
    }
    expect([await statusAt(startsAt!, -1), await statusAt(startsAt!, 0)]).toEqual(['SCHEDULED', 'ACTIVE'])
    expect([await statusAt(endsAt!, -1), await statusAt(endsAt!, 0)]).toEqual(['ACTIVE', 'EXPIRED'])
  })

  test('a paused listing also expires at its end time', async () => {
    const { body } = await list({ end_time: later(1) })
    await api.patch(`/v1/listings/${body.id}`, { status: 'PAUSED' })
    expect((await api.get(`/v1/listings?item_id=${body.item_id}&status=PAUSED`)).body.total_results).toBe(1)
    moveClock(2 * HOUR)
    expect((await api.get(`/v1/listings?item_id=${body.item_id}&status=PAUSED`)).body.total_results).toBe(0)
    await advanceListingsByTime(systemContext())
    expect((await mine.ctx.db.listing.findFirstOrThrow({ where: { id: body.id } })).status).toBe('EXPIRED')
  })
})

describe('changing a listing', () => {
  test('a listing of a collection that doesn’t let us mint any more can’t be changed for sale, whatever others do', async () => {
    await list({}) // of another collection
    const { body } = await list({})
    const change = async () => code(await api.patch(`/v1/listings/${body.id}`, { max_quantity_per_tx: 2 }))
    const where = { id: body.collection_id }
    await mine.ctx.db.collection.update({ where, data: { deploymentType: 'EXTERNAL', minter: null } })
    expect(await change()).toEqual([422, 'provider_not_configured'])
    await mine.ctx.db.collection.update({ where, data: { deploymentType: 'PLATFORM' } })
    expect((await change())[0]).toBe(200)
  })

  test('limits, times and campaign can change; null clears, omitted fields stay', async () => {
    const campaign = await mine.ctx.db.campaign.create({
      data: { id: newId(), organizationId: mine.id, name: newId() },
    })
    const { body } = await list({ policy: { max_per_user: 2, email_claim_duration: 3600 }, end_time: later(5) })
    const patch = (change: object) => api.patch(`/v1/listings/${body.id}`, change)
    const changed = await patch({
      campaign_id: campaign.id,
      max_quantity_per_tx: 4,
      proof_of_work: true,
      end_time: null,
      policy: { max_per_user: null, payment_session_duration: { timeout_seconds: 90 } },
    })
    expect(changed.body).toMatchObject({
      campaign_id: campaign.id,
      max_quantity_per_tx: 4,
      proof_of_work: true,
      end_time: null,
      max_per_user: null,
      status: 'ACTIVE',
    })
    expect(changed.body.policy).toMatchObject({
      max_per_user: null,
      email_claim_duration: 3600,
      payment_session_duration: { timeout_seconds: 90, provider_override: {} },
    })
    expect((await patch({ start_time: later(1) })).body.status).toBe('SCHEDULED')
    expect((await patch({ start_time: null })).body.status).toBe('ACTIVE')
    expect(field(await patch({ start_time: later(3), end_time: later(2) }))).toEqual([
      400,
      'invalid_request',
      'end_time',
    ])
    expect(field(await patch({ end_time: later(-1) }))).toEqual([400, 'invalid_request', 'end_time'])
    expect(field(await patch({ price: 5 }))).toEqual([400, 'invalid_request', 'price'])
    expect(code(await patch({ campaign_id: newId() }))).toEqual([404, 'not_found'])
    expect((await patch({})).body.status).toBe('ACTIVE')
    expect(
      (await open.get(`/public/v1/listings?organization_id=${mine.id}&campaign_id=${campaign.id}`)).body.total_results,
    ).toBe(1)
  })

  test('pausing frees the unsold units; resuming holds them again or is refused as sold_out', async () => {
    const item_id = await edition(10n)
    const { body } = await list({ item_id })
    expect(await held(item_id)).toBe(10n)
    expect((await api.patch(`/v1/listings/${body.id}`, { status: 'PAUSED' })).body.status).toBe('PAUSED')
    expect(await held(item_id)).toBe(0n)
    const { body: other } = await list({ item_id, quantity_listed: 1 })
    expect(code(await api.patch(`/v1/listings/${body.id}`, { status: 'ACTIVE' }))).toEqual([409, 'sold_out'])
    expect((await api.delete(`/v1/listings/${other.id}`)).status).toBe(204)
    expect((await api.patch(`/v1/listings/${body.id}`, { status: 'ACTIVE' })).body.status).toBe('ACTIVE')
    expect(await held(item_id)).toBe(10n)
    expect(code(await api.patch(`/v1/listings/${other.id}`, { status: 'ACTIVE' }))).toEqual([409, 'listing_over'])
    expect((await open.get(`/public/v1/listings/${other.id}`)).body.status).toBe('CANCELLED')
    expect(await mine.ctx.db.event.count({ where: { type: 'listing.cancelled', key: other.id } })).toBe(1)
  })

  test('an allow list of the longest emails is walked to and fro with cursors that are safe strings', async () => {
    const domain = `${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.example`
    const emails = ["'_", '+_', '-_', '__', '9_'].map((end) => `${'_'.repeat(254 - 3 - domain.length)}${end}@${domain}`)
    expect(emails.every((email) => email.length === 254)).toBe(true)
    const { body } = await list({ policy: { type: 'ALLOW_LIST', eth_addresses: [], email_addresses: emails } })
    const path = `/v1/listings/${body.id}/allow-list`
    const emailsOf = (page: { results: { email_address: string }[] }) =>
      page.results.map((entry) => entry.email_address)
    const ordered = emailsOf((await api.get(`${path}?order_direction=ASC`)).body)
    expect(ordered.toSorted()).toEqual(emails.toSorted())
    const { body: first } = await api.get(`${path}?order_direction=ASC&limit=3`)
    expect(first.cursor.length).toBeLessThanOrEqual(255)
    const at = (query: string, cursor = first.cursor) => api.get(`${path}?cursor=${cursor}&${query}`)
    expect(emailsOf((await at('order_direction=ASC')).body)).toEqual(ordered.slice(3))
    const { body: back } = await at('limit=2')
    expect(emailsOf(back)).toEqual([ordered[2], ordered[1]])
    expect(emailsOf((await at('limit=2', back.cursor)).body)).toEqual([ordered[0]])
    const { body: found } = await api.get(`${path}?search=example&order_direction=ASC&limit=3`)
    expect(emailsOf((await at('search=example', found.cursor)).body)).toEqual(ordered.slice(0, 3).toReversed())
    expect((await api.post(path, { action: 'REMOVE', email_addresses: [ordered[2]] })).status).toBe(200)
    expect(emailsOf((await at('order_direction=ASC')).body)).toEqual(ordered.slice(3))
    expect(emailsOf((await at('')).body)).toEqual([ordered[1], ordered[0]])
  })

  test('an allow list is paged, searched, added to and removed from', async () => {
    const addresses = [makeRandomAddress(), makeRandomAddress()].sort()
    const { body } = await list({
      policy: { type: 'ALLOW_LIST', eth_addresses: addresses, email_addresses: ['Bob@Example.com'] },
    })
    const path = `/v1/listings/${body.id}/allow-list`
    const entries = async () => {
      const found: string[] = []
      for (let cursor = ''; ;) {
        const page = await api.get(`${path}?limit=1&order_direction=ASC&cursor=${cursor}`)
        found.push(
          ...page.body.results.map(
            (entry: { eth_address: string | null; email_address: string | null }) =>
              entry.eth_address ?? entry.email_address,
          ),
        )
        if (!page.body.has_more) return found
        cursor = page.body.cursor
      }
    }
    expect(await entries()).toEqual([...addresses, 'bob@example.com'])
    expect((await api.get(`${path}`)).body.results[0].email_address).toBe('bob@example.com')
    expect((await api.get(`${path}?search=BOB`)).body.total_results).toBe(1)
    expect((await api.get(`${path}?search=b_b`)).body.total_results).toBe(0)
    // A part of any length, wherever it begins.
    const all = [...addresses, 'bob@example.com']
    const parts = [0, 1].flatMap((from) => [1, 2, 3, 4, 5].map((length) => 'bob@example'.slice(from, from + length)))
    for (const part of [
      ...parts,
      addresses[0]!.slice(3, 8),
      addresses[1]!.slice(36),
      '.',
      '@',
      'z',
      '_',
      'é',
      'o.c',
      'mm',
    ])
      expect((await api.get(`${path}?search=${encodeURIComponent(part)}`)).body.total_results, part).toBe(
        all.filter((entry) => entry.toLowerCase().includes(part.toLowerCase())).length,
      )
    const added = await countRoundTrips(() =>
      api.post(path, { action: 'ADD', email_addresses: ['ada@example.com', 'bob@example.com'] }),
    )
    expect(added.result.body).toEqual({ changed: 1, total_results: 4 })
    // A change of a long list doesn't read the list.
    expect(added.roundTrips.filter((text) => /count\(.*listing_allowances"/is.test(text))).toEqual([])
    expect(
      (
        await api.post(path, {
          action: 'REMOVE',
          eth_addresses: [addresses[0]!.toLowerCase()],
          email_addresses: ['nobody@example.com'],
        })
      ).body,
    ).toEqual({ changed: 1, total_results: 3 })
    expect(await entries()).toEqual([addresses[1], 'ada@example.com', 'bob@example.com'])
    expect(code(await api.get(`${path}?cursor=${Buffer.from('1:x').toString('base64url')}`))).toEqual([
      400,
      'invalid_cursor',
    ])
  })
})

describe('public listings', () => {
  test('a private collection’s listing can be read by id, but is not listed', async () => {
    const { itemId, collectionId } = await makeItem(mine, { isPublic: false })
    const { body } = await list({ item_id: itemId, quantity_listed: 1 })
    expect((await open.get(`/public/v1/listings/${body.id}`)).status).toBe(200)
    for (const filter of [`item_id=${itemId}`, `collection_id=${collectionId}`])
      expect((await open.get(`/public/v1/listings?organization_id=${mine.id}&${filter}`)).body).toMatchObject({
        results: [],
        total_results: 0,
      })
    expect(code(await open.get('/public/v1/listings'))).toEqual([400, 'invalid_request'])
  })

  test('eligibility is answered for the listing alone, for an address and for an email', async () => {
    const address = makeRandomAddress()
    const { body } = await list({
      policy: { type: 'ALLOW_LIST', max_per_user: 2, eth_addresses: [address], email_addresses: ['ada@example.com'] },
    })
    const ask = async (more = '') =>
      (await open.get(`/public/v1/listings/redemption-eligibility?listing_id=${body.id}${more}`)).body
    expect(await ask()).toEqual({
      is_eligible: true,
      quantity_allowed: '2',
      quantity_claimed: '0',
      reason: null,
      reason_detail: null,
    })
    expect(await ask(`&eth_address=${address.toLowerCase()}`)).toMatchObject({
      is_eligible: true,
      quantity_allowed: '2',
    })
    expect(await ask('&email_address=ADA@example.com')).toMatchObject({ is_eligible: true })
    expect(await ask(`&eth_address=${makeRandomAddress()}`)).toEqual({
      is_eligible: false,
      quantity_allowed: '0',
      quantity_claimed: '0',
      reason: 'NOT_ON_LIST',
      reason_detail: 'This listing is for those on its list.',
    })
    await mine.ctx.db.listingBuyer.create({
      data: { organizationId: mine.id, listingId: body.id, kind: 'EMAIL', identity: 'ada@example.com', quantity: 2n },
    })
    expect(await ask('&email_address=ada@example.com')).toMatchObject({
      is_eligible: false,
      quantity_claimed: '2',
      reason: 'LIMIT_REACHED',
    })
    expect(code(await open.get('/public/v1/listings/redemption-eligibility'))).toEqual([400, 'invalid_request'])
    expect(code(await open.get(`/public/v1/listings/redemption-eligibility?listing_id=${newId()}`))).toEqual([
      404,
      'not_found',
    ])
    expect(
      code(await open.get(`/public/v1/listings/redemption-eligibility?listing_id=${body.id}&eth_address=0x12`)),
    ).toEqual([400, 'invalid_request'])
  })

  test('a claim page’s item shows the active listing it is in', async () => {
    const { body: listing } = await list()
    const claim = await api.post('/v1/email-claims', { email: 'ada@example.com', item_id: listing.item_id })
    const { body } = await open.get(`/public/v1/email-claims/${claim.body.claim_url.split('/').at(-1)}`)
    const {
      title: _t,
      image: _i,
      checkout_url: _c,
      reason: _r,
      suspended,
      ...shown
    } = (await open.get(`/public/v1/listings/${listing.id}`)).body
    expect([body.item.listing, suspended]).toEqual([shown, false])
    await api.delete(`/v1/listings/${listing.id}`)
    expect(
      (await open.get(`/public/v1/email-claims/${claim.body.claim_url.split('/').at(-1)}`)).body.item.listing,
    ).toBeNull()
  })

  test('payment tokens are the native coin, with the zero address, and those from the settings', async () => {
    const page = await open.get('/public/v1/payment-tokens?network_id=31337&network_id=999999&order_direction=ASC')
    expect(page.body.results).toEqual([
      { address: zeroAddress, decimals: 18, name: 'Ether', network_id: 31337, symbol: 'ETH' },
      { address: TOKEN, decimals: 6, name: 'USD Coin (test)', network_id: 31337, symbol: 'USDC' },
    ])
    const first = await open.get('/public/v1/payment-tokens?network_id=31337&limit=1')
    expect([first.body.results[0].symbol, first.body.has_more, first.body.total_results]).toEqual(['USDC', true, 2])
    expect(
      (await open.get(`/public/v1/payment-tokens?network_id=31337&limit=1&cursor=${first.body.cursor}`)).body.results[0]
        .symbol,
    ).toBe('ETH')
    expect(code(await open.get('/public/v1/payment-tokens'))).toEqual([400, 'invalid_request'])
    expect(code(await open.get('/public/v1/payment-tokens?network_id=-1'))).toEqual([400, 'invalid_request'])
  })
})

describe('pre-flight checks', () => {
  const findings = async (id: string) =>
    (await api.get(`/v1/listings/${id}`)).body.preflight.map(
      ({ code: found, severity }: { code: string; severity: string }) => [found, severity],
    )

  test('a missing payout contract, a card account that cannot charge and low gas are reported', async () => {
    const other = makeRandomAddress()
    await setPayout(other)
    const { body: voucher } = await list({ payment_providers: ['MINT_VOUCHER'], price: 1 })
    expect(await findings(voucher.id)).toEqual([])
    const here = ports().chains.get(31337)!
    const elsewhere = {
      ...here,
      network: { ...here.network, id: 5, name: 'Elsewhere' },
      code: async () => '0x60' as const,
    }
    replacePorts({
      chains: new Map([
        [31337, here],
        [5, elsewhere],
      ]),
    })
    expect(await findings(voucher.id)).toEqual([['payout_contract_missing', 'ERROR']])
    chain.contracts.set(other, '0x60')
    expect(await findings(voucher.id)).toEqual([])
    await setPayout(null)
    expect(await findings(voucher.id)).toEqual([['payout_address_missing', 'ERROR']])

    const seller = await makeOrganization()
    await connectCards(seller)
    const sellers = callerOf(seller.key)
    const { body: card } = await sellers.post('/v1/listings', {
      ...offer,
      item_id: await edition(10n, seller),
      payment_providers: ['CARD_PROVIDER'],
      price: 100,
      currency: 'EUR',
    })
    const rich = {
      ...here,
      fees: async () => ({ maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }),
      balance: async () => 10n ** 18n,
    }
    const operators = { ...ports().keys, operators: [makeRandomAddress()] }
    replacePorts({ chains: new Map([[31337, rich]]), keys: operators })
    const cardFindings = async () =>
      (await sellers.get(`/v1/listings/${card.id}`)).body.preflight.map(({ code: found }: { code: string }) => found)
    expect(await cardFindings()).toEqual([])
    const cannotCharge = async (requirements: string[]) => {
      const data = { status: 'RESTRICTED' as const, chargesEnabled: false, requirements }
      await seller.ctx.db.paymentIntegration.updateMany({ data })
      expect(await cardFindings()).toEqual(['card_account_cannot_charge'])
      return (await sellers.get(`/v1/listings/${card.id}`)).body.preflight[0].detail
    }
    const detail = 'The account at the card provider can’t charge cards yet.'
    expect(await cannotCharge([])).toBe(detail)
    expect(await cannotCharge(['a passport'])).toBe(`${detail} It still asks for: a passport.`)
    await seller.ctx.db.paymentIntegration.updateMany({ data: { status: 'DISCONNECTED' } })
    replacePorts({ chains: new Map([[31337, { ...rich, balance: async () => 1n }]]), keys: operators })
    expect(await cardFindings()).toEqual(['card_account_missing', 'gas_low'])
    // The units of a listing that sells are held for it already: they are promised once.
    const { preflight } = (await sellers.get(`/v1/listings/${card.id}`)).body
    expect(preflight[1].detail).toContain('may not have the gas for 10 promised mints.')
    replacePorts({ chains: new Map() })
    expect(await cardFindings()).toEqual(['card_account_missing', 'network_unreachable'])
    installFakeChain()
  })
})

describe('collection listings', () => {
  test('a listing of a whole collection holds units of its pool, and frees them when deleted', async () => {
    const { collectionId } = await makePool(mine, 5)
    const { body } = await api.post('/v1/listings', {
      ...offer,
      collection_id: collectionId,
      quantity_listed: 4,
      policy: { item_assignment_strategy: 'RANDOM' },
    })
    expect(body).toMatchObject({
      item_id: null,
      collection_id: collectionId,
      quantity_remaining: 4,
      policy: { item_assignment_strategy: 'RANDOM' },
    })
    expect(await mine.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
      poolFree: 5n,
      poolHeld: 4n,
    })
    expect(code(await api.post('/v1/listings', { ...offer, collection_id: collectionId, quantity_listed: 2 }))).toEqual(
      [409, 'sold_out'],
    )
    expect(
      (await open.get(`/public/v1/listings?organization_id=${mine.id}&collection_id=${collectionId}`)).body
        .total_results,
    ).toBe(1)
    await api.delete(`/v1/listings/${body.id}`)
    expect(await mine.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
      poolFree: 5n,
      poolHeld: 0n,
    })
  })
})
