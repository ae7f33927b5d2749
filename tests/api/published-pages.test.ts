import path from 'node:path'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, makeRandomAddress } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { renderPage } from '../support/render-page.ts'
import { FREE_PRICE, makeListing } from '../support/selling.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('Owners are written by hand, without a log of the chain.', ...MINTS)

let organization: TestOrganization
let page: (file: string, params: Record<string, string>, query: Record<string, string>) => Promise<string>

beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue() // React complains of each component of the browser.
  page = async (file, params, query) => {
    const { default: component } = (await import(path.resolve(import.meta.dirname, '../../app', file))) as {
      default: unknown
    }
    return renderPage({ layouts: [], page: component }, { params, query, session: '', organizationId: '' })
  }
})
beforeEach(async () => {
  installFakeChain()
  resetClock()
  organization = await makeOrganization()
})

/** The statements of a visit that read more than versions of kept answers, and what it shows. */
async function visit(file: string, params: Record<string, string>, query: Record<string, string> = {}) {
  const { result, roundTrips, statements } = await countRoundTrips(() => page(file, params, query))
  const beyond = roundTrips.filter((text) => !/ AS version(\s+FROM |\))/.test(text))
  return { text: result, statements, beyond }
}

const ITEM = 'i/[itemId]/page.tsx'
const COLLECTION = 'c/[collectionId]/page.tsx'
const OWNER = 'o/[address]/page.tsx'

test('a public page where nothing changed since it was asked for twice asks for versions of kept answers alone', async () => {
  const { itemId, collectionId } = await makeItem(organization)
  const owner = { organizationId: organization.id, itemId, address: makeRandomAddress(), quantity: 1 }
  await organization.ctx.db.itemOwner.create({ data: owner })
  const api = callerOf(organization.key)
  await api.post('/v1/perks', { item_id: itemId, title: 'A seat at the opening', text: 'Row one' })
  const first = await visit(ITEM, { itemId })
  expect(first.text).toContain('A seat at the opening')
  expect(first.beyond.length).toBeGreaterThan(0)
  await visit(ITEM, { itemId })
  const again = await visit(ITEM, { itemId })
  expect([again.beyond, again.text]).toEqual([[], first.text])
  expect(again.statements).toBe(6)

  const before = await visit(COLLECTION, { collectionId })
  await visit(COLLECTION, { collectionId })
  const after = await visit(COLLECTION, { collectionId })
  expect([after.beyond, after.text]).toEqual([[], before.text])
  expect(after.statements).toBe(3)

  const { address } = owner
  const firstOfOwner = await visit(OWNER, { address })
  expect(firstOfOwner.text).toContain(itemId)
  await visit(OWNER, { address })
  const againOfOwner = await visit(OWNER, { address })
  expect([againOfOwner.beyond, againOfOwner.text]).toEqual([[], firstOfOwner.text])
  expect(againOfOwner.statements).toBe(1)
})

test('what an address owns is shown page by page, newest first, and follows each change of it', async () => {
  const made = await Promise.all(Array.from({ length: 26 }, () => makeItem(organization)))
  const itemIds = made.map(({ itemId }) => itemId).sort()
  itemIds.reverse()
  const address = makeRandomAddress()
  const owned = (of: string) => ({ organizationId: organization.id, itemId: of, address, quantity: 1 })
  await organization.ctx.db.itemOwner.createMany({ data: itemIds.map(owned) })
  const linked = (text: string) => [...text.matchAll(/\/i\/([0-9a-f-]{36})/g)].map(([, id]) => id)
  const first = await visit(OWNER, { address })
  expect(linked(first.text)).toEqual(itemIds.slice(0, 24))
  const cursor = decodeURIComponent(/cursor=([^\s"&]+)/.exec(first.text)![1]!)
  expect(linked((await visit(OWNER, { address }, { cursor })).text)).toEqual(itemIds.slice(24))
  await expect(visit(OWNER, { address }, { cursor: 'broken' })).rejects.toThrow('NEXT_HTTP_ERROR_FALLBACK;404')

  await organization.ctx.db.itemOwner.update({
    where: { itemId_address: { itemId: itemIds[0]!, address } },
    data: { quantity: 0 },
  })
  expect(linked((await visit(OWNER, { address })).text)).toEqual(itemIds.slice(1, 25))
  await organization.ctx.db.collection.updateMany({ data: { isPublic: false } })
  expect(linked((await visit(OWNER, { address })).text)).toEqual([])
})

test('a collection’s page says whether its items bring something besides, unless that would tell what is hidden', async () => {
  const { itemId, collectionId } = await makeItem(organization)
  const says = async () =>
    /Whoever holds (one|certain ones)/.exec((await visit(COLLECTION, { collectionId })).text)?.[1]
  const api = callerOf(organization.key)
  const add = (perk: object) => api.post('/v1/perks', { title: 'A seat', text: 'Row one', ...perk })
  expect(await says()).toBeUndefined()
  await add({ item_id: itemId, is_public: false })
  expect(await says()).toBeUndefined()
  await add({ item_id: itemId })
  expect(await says()).toBe('certain ones')
  const hide = (revealStrategy: 'DELAYED' | 'INSTANT') =>
    organization.ctx.db.collection.update({ where: { id: collectionId }, data: { revealStrategy } })
  await hide('DELAYED')
  expect(await says()).toBeUndefined()
  await add({ collection_id: collectionId })
  expect(await says()).toBe('one')
  await hide('INSTANT')
  const again = await visit(COLLECTION, { collectionId })
  expect((await visit(COLLECTION, { collectionId })).statements).toBe(3)
  expect(again.text).toContain('Whoever holds one')
})

test('a kept page follows each change: the seller, a listing and its times, a perk, privacy', async () => {
  const { id: listingId, itemId, collectionId } = await makeSold()
  const shown = async () => (await visit(ITEM, { itemId })).text
  expect(await shown()).toContain('Get it')
  await organization.ctx.db.organization.update({ where: { id: organization.id }, data: { name: 'Gallery of Noon' } })
  expect(await shown()).toContain('Gallery of Noon')
  expect((await visit(COLLECTION, { collectionId })).text).toContain('Gallery of Noon')
  await organization.ctx.db.listing.update({
    where: { id: listingId },
    data: { endsAt: new Date(Date.now() + 3_600_000) },
  })
  expect(await shown()).toContain('Get it')
  moveClock(3_600_001)
  expect(await shown()).not.toContain('Get it')
  resetClock()
  expect(await shown()).toContain('Get it')
  await callerOf(organization.key).post('/v1/perks', { collection_id: collectionId, title: 'A map', text: 'Left' })
  expect(await shown()).toContain('A map')
  await organization.ctx.db.collection.update({ where: { id: collectionId }, data: { isPublic: false } })
  await expect(shown()).rejects.toThrow('NEXT_HTTP_ERROR_FALLBACK;404')
  await expect(visit(COLLECTION, { collectionId })).rejects.toThrow('NEXT_HTTP_ERROR_FALLBACK;404')
})

test('a public page’s language is that of its organization where nobody asked for another', async () => {
  const { itemId, collectionId } = await makeItem(organization)
  await organization.ctx.db.organization.update({ where: { id: organization.id }, data: { locale: 'pl' } })
  const { localesOfPlace } = await import('../../app/language/locales-of-place.ts')
  for (const path of [`/i/${itemId}`, `/c/${collectionId}`])
    expect(await localesOfPlace(path, new URLSearchParams())).toEqual({ stored: null, organization: 'pl' })
  for (const path of ['/', `/o/${makeRandomAddress()}`, '/i/broken', `/i/${collectionId}`])
    expect(await localesOfPlace(path, new URLSearchParams())).toEqual({ stored: null, organization: null })
})

async function makeSold() {
  const { id, item_id } = await makeListing(organization, { ...FREE_PRICE, payment_providers: ['ORGANIZATION'] })
  const { collectionId } = await organization.ctx.db.item.findFirstOrThrow({ where: { id: item_id } })
  return { id, itemId: item_id as string, collectionId }
}
