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
let page: (file: string, params: Record<string, string>) => Promise<string>

beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue() // React complains of each component of the browser.
  page = async (file, params) => {
    const { default: component } = (await import(path.resolve(import.meta.dirname, '../../app', file))) as {
      default: unknown
    }
    return renderPage({ layouts: [], page: component }, { params, session: '', organizationId: '' })
  }
})
beforeEach(async () => {
  installFakeChain()
  resetClock()
  organization = await makeOrganization()
})

/** The statements of a visit that read more than versions of kept answers, and what it shows. */
async function visit(file: string, params: Record<string, string>) {
  const { result, roundTrips, statements } = await countRoundTrips(() => page(file, params))
  const beyond = roundTrips.filter((text) => !/ AS version(\s+FROM |\))/.test(text))
  return { text: result, statements, beyond }
}

const ITEM = 'i/[itemId]/page.tsx'
const COLLECTION = 'c/[collectionId]/page.tsx'

test('a public page where nothing changed asks for versions of kept answers alone', async () => {
  const { itemId, collectionId } = await makeItem(organization)
  const owner = { organizationId: organization.id, itemId, address: makeRandomAddress(), quantity: 1 }
  await organization.ctx.db.itemOwner.create({ data: owner })
  const api = callerOf(organization.key)
  await api.post('/v1/perks', { item_id: itemId, title: 'A seat at the opening', text: 'Row one' })
  const first = await visit(ITEM, { itemId })
  expect(first.text).toContain('A seat at the opening')
  expect(first.beyond.length).toBeGreaterThan(0)
  const again = await visit(ITEM, { itemId })
  expect([again.beyond, again.text]).toEqual([[], first.text])
  expect(again.statements).toBe(6)

  const before = await visit(COLLECTION, { collectionId })
  const after = await visit(COLLECTION, { collectionId })
  expect([after.beyond, after.text]).toEqual([[], before.text])
  expect(after.statements).toBe(3)
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

async function makeSold() {
  const { id, item_id } = await makeListing(organization, { ...FREE_PRICE, payment_providers: ['ORGANIZATION'] })
  const { collectionId } = await organization.ctx.db.item.findFirstOrThrow({ where: { id: item_id } })
  return { id, itemId: item_id as string, collectionId }
}
