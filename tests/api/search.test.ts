import { beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf } from '../support/call.ts'
import { makeRandomAddress, makeItem, installFakeChain, sendClaim } from '../support/claims.ts'
import { makeListing } from '../support/listings.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization({ name: 'The River Society' })
  api = callerOf(mine.key)
})

type Found = { kind: string; id: string; title: string; detail: string | null }
const search = async (q: string, as = api): Promise<Found[]> =>
  (await as.get(`/v1/search?q=${encodeURIComponent(q)}`)).body.results
const kindsOf = (found: Found[]) => [...new Set(found.map(({ kind }) => kind))]

test('items are found by the beginnings of words in their title, in any order and case', async () => {
  const { itemId: heron } = await makeItem(mine, { title: 'The Night Heron' })
  const { itemId: night } = await makeItem(mine, { title: 'Night Garden' })
  expect((await search('heron')).map(({ id }) => id)).toEqual([heron])
  expect((await search('her NI')).map(({ id }) => id)).toEqual([heron])
  expect((await search('night')).map(({ id }) => id)).toEqual([night, heron])
  expect(await search('eron')).toEqual([])
  for (const q of ['%', "'", '& | !', '\\', ':*']) expect(await search(q), q).toEqual([])
})

test('items are found by token id, and items and collections by their own id', async () => {
  const { itemId, collectionId } = await makeItem(mine, { title: 'Seventeen' })
  await mine.ctx.db.item.update({ where: { id: itemId }, data: { tokenId: '4711' } })
  expect(await search('4711')).toMatchObject([
    { kind: 'ITEM', id: itemId, title: 'Seventeen', detail: expect.stringContaining('#4711') },
  ])
  expect(await search(itemId)).toMatchObject([{ kind: 'ITEM', id: itemId }])
  expect(await search(collectionId)).toMatchObject([{ kind: 'COLLECTION', id: collectionId }])
  expect(await search(newId())).toEqual([])
})

test('collections and campaigns are found by any part of the name, collections also by contract address', async () => {
  const contractAddress = makeRandomAddress()
  const collection = await mine.ctx.db.collection.create({
    data: {
      id: newId(),
      organizationId: mine.id,
      name: 'Small press 100%',
      symbol: 'PRESS',
      networkId: 31337,
      contractAddress,
    },
  })
  const campaign = await mine.ctx.db.campaign.create({
    data: { id: newId(), organizationId: mine.id, name: 'Press night' },
  })
  expect(await search('PRESS')).toEqual([
    { kind: 'COLLECTION', id: collection.id, title: 'Small press 100%', detail: 'PRESS' },
    { kind: 'CAMPAIGN', id: campaign.id, title: 'Press night', detail: null },
  ])
  expect((await search('100%')).map(({ id }) => id)).toEqual([collection.id])
  expect((await search(contractAddress.toLowerCase())).map(({ id }) => id)).toEqual([collection.id])
})

test('claims are found by the beginning of their email address, members by any part of it', async () => {
  const { id, email } = await sendClaim(mine)
  expect(await search(email.slice(0, 20).toUpperCase())).toMatchObject([{ kind: 'EMAIL_CLAIM', id, title: email }])
  expect(await search(mine.email.slice(8, 30))).toMatchObject([
    { kind: 'MEMBER', id: mine.memberId, title: mine.email },
  ])
})

test('a listing is found by what it sells', async () => {
  const { itemId } = await makeItem(mine, { title: 'Kingfisher' })
  const listing = await makeListing(mine, { item_id: itemId, units: 1n })
  expect(await search('kingf')).toMatchObject([
    { kind: 'ITEM', id: itemId },
    { kind: 'LISTING', id: listing.id, title: 'Kingfisher' },
  ])
})

test('at most five results of a kind are returned', async () => {
  for (let at = 0; at < 7; at++) await makeItem(mine, { title: `Moonflower ${at}` })
  expect((await search('moonflower')).filter(({ kind }) => kind === 'ITEM')).toHaveLength(5)
})

test('results are limited to what the caller may read in their own organization', async () => {
  await makeItem(mine, { title: 'Lapwing' })
  const { key } = await makeKey(mine, { permissions: PERMISSIONS.filter((permission) => permission !== 'items:read') })
  expect(kindsOf(await search('lapwing'))).toEqual(['ITEM'])
  expect(await search('lapwing', callerOf(key))).toEqual([])
  const other = await makeOrganization()
  for (const q of ['lapwing', 'moonflower', 'press', mine.email])
    expect(await search(q, callerOf(other.key)), q).toEqual([])
})

test('among many items, common, rare and absent words are found, and nothing of another organization', async () => {
  const [many, other] = [await makeOrganization(), await makeOrganization()]
  for (const organization of [many, other]) {
    const { collectionId } = await makeItem(organization, { title: 'Oldest Kingfisher' })
    await systemClient().$executeRaw`
      INSERT INTO items (id, organization_id, collection_id, attributes, updated_at)
      SELECT gen_random_uuid(), ${organization.id}::uuid, ${collectionId}::uuid,
        jsonb_build_object('title', CASE WHEN n % 500 = 0 THEN 'Rare warbler ' || n ELSE 'Common sparrow ' || n END), now()
      FROM generate_series(1, 3000) n`
  }
  const as = callerOf(many.key)
  const own = new Set((await many.ctx.db.item.findMany({ select: { id: true } })).map(({ id }) => id))
  for (const [q, found] of [
    ['common', 5],
    ['rare', 5],
    ['warbler rare 1500', 1],
    ['kingfisher', 1],
    ['absent', 0],
  ] as const) {
    const results = (await search(q, as)).filter(({ kind }) => kind === 'ITEM')
    expect(results.length, q).toBe(found)
    expect(results.every(({ id }) => own.has(id))).toBe(true)
  }
})

test('an empty, blank or too long query is refused', async () => {
  for (const q of ['', '   ', 'x'.repeat(256)])
    expect((await api.get(`/v1/search?q=${encodeURIComponent(q)}`)).status, q).toBe(400)
})
