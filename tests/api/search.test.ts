import { beforeAll, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { searchFormOf } from '../../lib/core/search-form.ts'
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

test('names are found in either form of Unicode, ß by ss, and whichever i is typed', async () => {
  const [composed, decomposed] = ['Caf\u00e9 Kobold', 'Cafe\u0301 Kobold']
  const titles = [composed, decomposed, 'Straße am Fluß', 'GROẞE STRASSE', 'İstanbul', 'Izmir', 'ılgaz']
  const { collectionId } = await makeItem(mine, { title: titles[0]! })
  for (const [at, title] of titles.entries())
    if (at > 0) {
      const { itemId } = await makeItem(mine, { title })
      await mine.ctx.db.item.update({ where: { id: itemId }, data: { collectionId, tokenId: String(at + 1) } })
    }
  const wanted: [string, string[]][] = [
    ['caf\u00e9', [composed, decomposed]],
    ['CAFE\u0301 kob', [composed, decomposed]],
    ['strasse', ['Straße am Fluß', 'GROẞE STRASSE']],
    ['STRAßE', ['Straße am Fluß', 'GROẞE STRASSE']],
    ['große', ['GROẞE STRASSE']],
    ['fluss', ['Straße am Fluß']],
    ['istanbul', ['İstanbul']],
    ['İSTANBUL', ['İstanbul']],
    ['i\u0307stanbul', ['İstanbul']],
    ['izmir', ['Izmir']],
    ['ILGAZ', ['ılgaz']],
  ]
  for (const [q, found] of wanted) {
    const items = (await search(q)).filter(({ kind }) => kind === 'ITEM')
    expect(items.map(({ title }) => title).sort(), q).toEqual([...found].sort())
    const { body } = await api.get(`/v1/items?collection_id=${collectionId}&search=${encodeURIComponent(q)}`)
    expect(body.results.map(({ attributes }: { attributes: { title: string } }) => attributes.title).sort(), q).toEqual(
      [...found].sort(),
    )
  }
  await mine.ctx.db.collection.update({ where: { id: collectionId }, data: { name: decomposed } })
  for (const q of ['caf\u00e9', 'CAFE\u0301 KO']) {
    expect(kindsOf(await search(q))).toContain('COLLECTION')
    const { body } = await api.get(`/v1/collections?search=${encodeURIComponent(q)}`)
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual([collectionId])
  }
})

test('the database and this process make the same form of a text', async () => {
  const texts = ['Cafe\u0301', 'İI ıi i\u0307 I\u0307', 'Straße ẞ', 'àéî ωά ж', '한글', 'ﬁ ﬀ', '100 %_\\', '🌙 x', '']
  const rows = await mine.ctx.sql<{ form: string }>(
    Prisma.sql`SELECT search_form(t) AS form FROM unnest(${texts}::text[]) WITH ORDINALITY AS u (t, n) ORDER BY n`,
  )
  expect(rows.map(({ form }) => form)).toEqual(texts.map(searchFormOf))
})

test('titles are searched by the indexes of that form', async () => {
  const planOf = (condition: Prisma.Sql) =>
    systemClient().$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`
      return JSON.stringify(await tx.$queryRaw(Prisma.sql`EXPLAIN SELECT id FROM items WHERE ${condition}`))
    })
  const [title, asked] = [Prisma.sql`attributes->>'title'`, 'Straße']
  expect(
    await planOf(Prisma.sql`grams_of(search_form(${title})) @> grams_covering(search_form(${asked}::text))`),
  ).toContain('items_by_title_grams')
  expect(
    await planOf(
      Prisma.sql`to_tsvector('simple', search_form(coalesce(${title}, ''))) @@ to_tsquery('simple', 'strasse:*')`,
    ),
  ).toContain('items_by_title_words')
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
