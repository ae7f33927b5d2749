import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PurchaseIntent } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from '../support/call.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Purchases are written by hand, of which only figures are compared.')

type Listed = { id: string; collectionId: string }
type Terms = { price?: number; currency?: string; decimals?: number; mode?: 'TEST' | 'LIVE' }

async function makeListing(
  { ctx, id: organizationId }: TestOrganization,
  { price = 1500, currency = 'EUR', decimals = 2, mode = 'TEST' }: Terms = {},
): Promise<Listed> {
  const networkId = mode === 'TEST' ? 31337 : 1
  const collection = await ctx.db.collection.create({
    data: {
      id: newId(),
      organizationId,
      name: newId(),
      deploymentStatus: 'SUCCESS',
      networkId,
      mode,
      tokenType: 'ERC721',
      contractAddress: `0x${randomBytes(20).toString('hex')}`,
    },
  })
  const id = newId()
  await ctx.db.listing.create({
    data: {
      id,
      organizationId,
      collectionId: collection.id,
      mode,
      networkId,
      status: 'ACTIVE',
      quantityListed: 100n,
      price,
      currency,
      currencyDecimals: decimals,
      paymentProviders: ['CARD_PROVIDER'],
    },
  })
  return { id, collectionId: collection.id }
}

type Sold = Partial<Pick<PurchaseIntent, 'status' | 'quantity' | 'refundedQuantity' | 'mode' | 'currency'>> & {
  total?: string
  at: string | null
}

const sell = ({ ctx, id: organizationId }: TestOrganization, listing: Listed, { at, total = '1500', ...given }: Sold) =>
  ctx.db.purchaseIntent.create({
    data: {
      id: newId(),
      organizationId,
      listingId: listing.id,
      mode: 'TEST',
      provider: 'CARD_PROVIDER',
      status: 'CONFIRMED',
      fulfillmentMethod: 'EMAIL',
      quantity: 1n,
      total,
      currency: 'EUR',
      buyerEmail: 'ada@example.com',
      secretHash: new Uint8Array(randomBytes(32)),
      expiresAt: new Date('2026-01-01T00:00:00Z'),
      confirmedAt: at === null ? null : new Date(at),
      ...given,
    },
  })

test('a purchase that was refunded in part counts with what is left of it', async () => {
  const organization = await makeOrganization()
  const listing = await makeListing(organization)
  await sell(organization, listing, { at: '2026-03-01T00:00:00Z', quantity: 3n, total: '597', refundedQuantity: 1n })
  const { body } = await callerOf(organization.key).get(
    '/v1/analytics/sales?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z',
  )
  expect(body.totals).toMatchObject([{ purchases: 1, units: 2, gross: '597', refunds: 0, refunded: '199', net: '398' }])
})

test('sales are summed by day, currency and mode; refunds are deducted, unpaid purchases are left out', async () => {
  const organization = await makeOrganization()
  const [cards, coins] = [
    await makeListing(organization),
    await makeListing(organization, { currency: 'ETH', decimals: 18, mode: 'LIVE' }),
  ]
  const eth = { currency: 'ETH', mode: 'LIVE', total: '30000000000000000000000' } as const
  await sell(organization, cards, { at: '2026-03-01T00:00:00Z' })
  await sell(organization, cards, { at: '2026-03-01T23:59:59.999Z', quantity: 2n, total: '3000' })
  await sell(organization, cards, { at: '2026-03-03T12:00:00Z', status: 'REFUNDED' })
  await sell(organization, cards, { at: '2026-03-03T12:00:00Z', status: 'UNRESOLVED' })
  await sell(organization, coins, { at: '2026-03-03T12:00:00Z', ...eth })
  for (const status of ['PENDING', 'EXPIRED', 'CANCELLED'] as const)
    await sell(organization, cards, { at: null, status })
  await sell(organization, cards, { at: '2026-02-28T23:59:59Z' })

  const { status, body } = await callerOf(organization.key).get(
    '/v1/analytics/sales?from=2026-03-01T09:00:00Z&to=2026-03-03T20:00:00Z',
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-03T20:00:00.000Z', interval: 'DAY' })
  const euros = { mode: 'TEST', currency: 'EUR', currency_address: null, currency_decimals: 2 }
  const coin = {
    mode: 'LIVE',
    currency: 'ETH',
    currency_address: null,
    currency_decimals: 18,
    purchases: 1,
    units: 1,
    gross: eth.total,
    refunds: 0,
    refunded: '0',
    net: eth.total,
  }
  expect(body.series).toEqual([
    {
      start: '2026-03-01T00:00:00.000Z',
      sales: [{ ...euros, purchases: 2, units: 3, gross: '4500', refunds: 0, refunded: '0', net: '4500' }],
    },
    { start: '2026-03-02T00:00:00.000Z', sales: [] },
    {
      start: '2026-03-03T00:00:00.000Z',
      sales: expect.arrayContaining([
        { ...euros, purchases: 1, units: 1, gross: '3000', refunds: 1, refunded: '1500', net: '1500' },
        coin,
      ]),
    },
  ])
  expect(body.totals).toHaveLength(2)
  expect(body.totals).toEqual(
    expect.arrayContaining([
      { ...euros, purchases: 3, units: 4, gross: '7500', refunds: 1, refunded: '1500', net: '6000' },
      coin,
    ]),
  )

  const { body: live } = await callerOf(organization.key).get(
    '/v1/analytics/sales?from=2026-03-01T00:00:00Z&to=2026-03-03T20:00:00Z&mode=LIVE',
  )
  expect(live.totals).toEqual([coin])
  const { body: one } = await callerOf(organization.key).get(
    `/v1/analytics/sales?from=2026-03-01T00:00:00Z&to=2026-03-03T20:00:00Z&collection_id=${coins.collectionId}`,
  )
  expect(one.totals).toEqual([coin])
  const { body: other } = await callerOf(organization.key).get(
    `/v1/analytics/sales?from=2026-03-01T00:00:00Z&to=2026-03-03T20:00:00Z&listing_id=${cards.id}&mode=LIVE`,
  )
  expect(other.totals).toEqual([])
})

test('intervals are whole weeks from Monday and whole months', async () => {
  const organization = await makeOrganization()
  const listing = await makeListing(organization)
  await sell(organization, listing, { at: '2026-03-01T10:00:00Z' }) // a Sunday
  await sell(organization, listing, { at: '2026-03-02T10:00:00Z' })
  const ask = async (interval: string) =>
    (
      await callerOf(organization.key).get(
        `/v1/analytics/sales?from=2026-02-25T00:00:00Z&to=2026-04-01T00:00:00Z&interval=${interval}`,
      )
    ).body.series.map(({ start, sales }: { start: string; sales: { purchases: number }[] }) => [
      start.slice(0, 10),
      sales[0]?.purchases ?? 0,
    ])
  expect(await ask('WEEK')).toEqual([
    ['2026-02-23', 1],
    ['2026-03-02', 1],
    ['2026-03-09', 0],
    ['2026-03-16', 0],
    ['2026-03-23', 0],
    ['2026-03-30', 0],
  ])
  expect(await ask('MONTH')).toEqual([
    ['2026-02-01', 0],
    ['2026-03-01', 2],
    ['2026-04-01', 0],
  ])
})

test('figures cover one organization and by default 30 days; reversed or too long spans are refused', async () => {
  const [mine, theirs] = [await makeOrganization(), await makeOrganization()]
  await sell(theirs, await makeListing(theirs), { at: new Date().toISOString() })
  const api = callerOf(mine.key)
  const { body } = await api.get('/v1/analytics/sales')
  expect(body.totals).toEqual([])
  expect(body.series).toHaveLength(31)
  const reversed = await api.get('/v1/analytics/sales?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z')
  expect([reversed.status, reversed.body.errors[0].field]).toEqual([400, 'from'])
  expect((await api.get('/v1/analytics/sales?from=2020-03-02T00:00:00Z&to=2026-03-01T00:00:00Z')).status).toBe(400)
  for (const span of ['from=soon', 'to=soon', 'from=2026-03-01', 'from=0000-01-01T00:00:00Z&to=0000-01-02T00:00:00Z'])
    expect([span, (await api.get(`/v1/analytics/sales?${span}`)).status]).toEqual([span, 400])
})
