import { beforeAll, beforeEach, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { listItems } from '../../lib/catalog/items/list-items.ts'
import { listClaims } from '../../lib/giving/list-claims.ts'
import { listListings } from '../../lib/offers/listings/list-listings.ts'
import { listPurchases } from '../../lib/selling/purchases/list-purchases.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, sendClaim } from '../support/claims.ts'
import { startMailbox } from '../support/mailbox.ts'
import { makeOrganization } from '../support/organization.ts'
import { buy, connectCards, makeListing } from '../support/selling.ts'

beforeAll(async () => {
  await startMailbox()
  installFakeChain()
})
beforeEach(resetClock)

type Page = { results: any[]; cursor: string | null }
type Sorting = { cursor?: string | null; order_direction: 'ASC' | 'DESC'; limit: number }

/** The list in both directions, two rows on a page: each must be the other's reverse. */
async function readSorted<Row>(list: (sorting: Sorting) => Promise<Page>, shown: (row: any) => Row): Promise<Row[]> {
  const readAll = async (order_direction: 'ASC' | 'DESC') => {
    const rows: Row[] = []
    let cursor: string | null | undefined
    do {
      const page: Page = await list({ cursor, order_direction, limit: 2 })
      rows.push(...page.results.map(shown))
      cursor = page.cursor
    } while (cursor)
    return rows
  }
  const rows = await readAll('ASC')
  expect(await readAll('DESC')).toEqual([...rows].reverse())
  return rows
}

const id = (row: { id: string }) => row.id
const titleOf = (item: { attributes: { title?: string } }) => item.attributes.title ?? null

test('items are sorted by name without case and accents, also those that a search finds, and by state', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  for (const title of ['zebra', 'Äpfel', 'apple', 'Étude', 'eta', 'Zebra', `a${'\u{1f33c}'.repeat(64)}`])
    await makeItem(organization, { title, locked: title !== 'eta' })
  await makeItem(organization, { attributes: {} })
  const flower = `a${'\u{1f33c}'.repeat(64)}`
  expect(await readSorted((page) => listItems(ctx, { attribute: [], ...page, order_by: 'NAME' }), titleOf)).toEqual([
    null,
    'Äpfel',
    'apple',
    flower,
    'eta',
    'Étude',
    'zebra',
    'Zebra',
  ])
  expect(
    await readSorted((page) => listItems(ctx, { attribute: [], ...page, order_by: 'NAME', search: 'e' }), titleOf),
  ).toEqual(['Äpfel', 'apple', 'eta', 'Étude', 'zebra', 'Zebra'])
  const states = await readSorted(
    (page) => listItems(ctx, { attribute: [], ...page, order_by: 'STATE' }),
    (item) => item.locked,
  )
  expect(states).toEqual([false, ...Array.from({ length: 7 }, () => true)])
})

test('a page walks back from a cursor beginning with the last row of its page', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  for (const title of ['a', 'b', 'c']) await makeItem(organization, { title })
  const sorted = { attribute: [], limit: 2, order_by: 'NAME' as const }
  const { cursor } = await listItems(ctx, { ...sorted, order_direction: 'ASC' })
  const back = await listItems(ctx, { ...sorted, order_direction: 'DESC', cursor })
  expect(back.results.map(titleOf)).toEqual(['b', 'a'])
  await expect(listItems(ctx, { ...sorted, order_by: 'STATE', cursor })).rejects.toMatchObject({
    code: 'invalid_cursor',
  })
})

test('claims are sorted by state as it is shown, and found by what their mailbox begins with', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const api = callerOf(organization.key)
  const [open, overdue, revoked, later] = [
    await sendClaim(organization),
    await sendClaim(organization, { expiration: new Date(Date.now() + 60_000) }),
    await sendClaim(organization),
    await sendClaim(organization),
  ]
  await api.delete(`/v1/email-claims/${revoked.id}`)
  moveClock(120_000)
  expect(await readSorted((page) => listClaims(ctx, { ...page, order_by: 'STATE' }), id)).toEqual([
    open.id,
    later.id,
    overdue.id,
    revoked.id,
  ])
  expect(await readSorted((page) => listClaims(ctx, { ...page, order_by: 'STATE', active: 'false' }), id)).toEqual([
    overdue.id,
    revoked.id,
  ])
  const found = async (part: string) => {
    const { body } = await api.get(`/v1/email-claims?search=${encodeURIComponent(part)}`)
    expect(body.total_results).toBe(body.results.length)
    return body.results.map(id)
  }
  expect(await found(later.email.slice(0, 36).toUpperCase())).toEqual([later.id])
  expect(await found('%')).toEqual([])
  const exported = await api.get(`/v1/exports/claims.csv?search=${later.email.slice(0, 36)}`)
  expect(exported.body).toContain(later.id)
  expect(exported.body).not.toContain(open.id)
})

test('listings and purchases are sorted by price within each currency, and by state', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const api = callerOf(organization.key)
  await connectCards(organization)
  const list = async (offer: Record<string, unknown>): Promise<string> => (await makeListing(organization, offer)).id
  const free = await list({ price: 0, payment_providers: ['EMAIL_CLAIM'] })
  const dear = await list({ price: 10_000 })
  const cheap = await list({ price: 900 })
  const euro = await list({ price: 95_000, currency: 'EUR', end_time: new Date(Date.now() + 60_000).toISOString() })
  expect(await readSorted((page) => listListings(ctx, { ...page, order_by: 'PRICE' }), id)).toEqual([
    euro,
    free,
    cheap,
    dear,
  ])

  const bought: string[] = []
  for (const listing of [dear, free, euro]) bought.push((await buy(listing)).body.id)
  const [dearOne, freeOne, euroOne] = bought
  expect(await readSorted((page) => listPurchases(ctx, { ...page, order_by: 'PRICE' }), id)).toEqual([
    euroOne,
    freeOne,
    dearOne,
  ])
  expect(await readSorted((page) => listPurchases(ctx, { ...page, order_by: 'STATE' }), id)).toEqual([
    dearOne,
    euroOne,
    freeOne,
  ])
  expect(
    await readSorted((page) => listPurchases(ctx, { ...page, order_by: 'STATE', status: 'CONFIRMED' }), id),
  ).toEqual([freeOne])

  moveClock(120_000)
  await api.post(`/v1/listings/${cheap}/pause`, {})
  expect(await readSorted((page) => listListings(ctx, { ...page, order_by: 'STATE' }), id)).toEqual([
    dear,
    cheap,
    free,
    euro,
  ])
  expect(await readSorted((page) => listListings(ctx, { ...page, order_by: 'PRICE', status: 'EXPIRED' }), id)).toEqual([
    euro,
  ])
})
