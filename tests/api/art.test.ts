import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { GET } from '../../app/media/art/[name]/route.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from '../support/call.ts'
import { makeCollection } from '../support/chain-logs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
const open = callerOf()
const artAt = (address: string, headers = {}) =>
  GET(new Request(address, { headers }), { params: Promise.resolve({ name: address.split('/').at(-1)! }) })
const artOf = (id: string) => `http://localhost:3000/media/art/${id}.svg`

beforeAll(async () => {
  mine = await makeOrganization()
})

test('an item without an image gets generated art: a plain, deterministic SVG', async () => {
  const { id, itemIds } = await makeCollection(mine, { isPublic: false })
  const { image } = (await open.get(`/public/v1/metadata/${id}/1`)).body
  expect(new URL(image).pathname).toBe(`/media/art/${itemIds[0]}.svg`)
  const art = await artAt(image)
  const svg = await art.text()
  expect([art.status, art.headers.get('content-type'), art.headers.get('content-security-policy')]).toEqual([
    200,
    'image/svg+xml; charset=utf-8',
    "default-src 'none'; sandbox",
  ])
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1200"/)
  expect(svg).not.toMatch(/oklch|<script|class="[^"]*"[^>]*on/)
  expect(await sharp(Buffer.from(svg)).metadata()).toMatchObject({ width: 1200, height: 1200 })
  expect(await (await artAt(image)).text()).toBe(svg)
  expect((await artAt(image, { 'if-none-match': art.headers.get('etag')! })).status).toBe(304)
})

test('an unrevealed item shows its preview’s art; a draft, unknown or malformed id is not found', async () => {
  const { ctx } = mine
  const collection = await makeCollection(mine, { items: 2 })
  await ctx.db.collection.update({
    where: { id: collection.id },
    data: { revealStrategy: 'DELAYED', previewMetadata: { title: 'A closed box' } },
  })
  const [first, second] = await Promise.all(collection.itemIds.map(async (id) => (await artAt(artOf(id))).text()))
  expect(first).toBe(second)
  expect(first).toContain('A closed box')
  const draft = await ctx.db.item.create({
    data: { id: newId(), organizationId: mine.id, collectionId: collection.id, attributes: { title: 'Draft' } },
  })
  for (const address of [artOf(draft.id), artOf(newId()), artOf('x'), artOf(first!).replace('.svg', '')])
    expect((await artAt(address)).status).toBe(404)
})
