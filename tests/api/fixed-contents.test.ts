import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { runImports } from '../../lib/data/imports/run-imports.ts'
import { areContentsFixed } from '../../lib/db/errors.ts'
import { systemClient } from '../../lib/db/client.ts'
import { organizationContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { storeItemImage } from '../../lib/records/media/store-item-image.ts'
import { type ApiResponse, callerOf, code } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { makeDeployedCollection } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { until } from '../support/until.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const FIXED = [409, 'contents_fixed']
const imageOf = (at: number) => `https://images.example/${at}.png`

/** A hidden collection of three locked items. */
async function makeHidden(options: Record<string, unknown> = {}) {
  const id = await makeDeployedCollection(mine, { reveal_strategy: 'DELAYED', ...options })
  const items = [0, 1, 2].map((at) => ({
    collection_id: id,
    attributes: { title: `Content ${at}`, image_url: imageOf(at) },
    translations: { de: { title: `Inhalt ${at}` } },
  }))
  const itemIds: string[] = (await api.post('/v1/items/bulk', { items })).body.item_ids
  await api.post('/v1/items/lock', { collection_id: id })
  return { id, itemIds: itemIds as [string, string, string] }
}

const reveal = async (id: string) => expect((await api.post(`/v1/collections/${id}/reveal`, {})).status).toBe(200)
const promise = async (item_id: string): Promise<string> =>
  (await api.post('/v1/email-claims', { email: `${newId()}@example.com`, item_id })).body.id
const edit = (id: string, body: object = { attributes: { title: 'Better' } }) => api.patch(`/v1/items/${id}`, body)
const makeLocked = async (collection_id: string) => {
  const { body } = await api.post('/v1/items', { collection_id, attributes: { title: 'Late' } })
  expect((await api.post('/v1/items/lock', { item_id: body.id })).status).toBe(201)
  return body.id as string
}

/** A collection of which something is promised, before or after its reveal. */
async function makePromised(when: string, options: Record<string, unknown> = {}) {
  const made = await makeHidden(options)
  const claimId = await promise(made.itemIds[0])
  if (when === 'after') await reveal(made.id)
  return { ...made, claimId }
}

describe.each(['before', 'after'])('%s the reveal of a collection that never edits', (when) => {
  test('no contents of a promised collection change, whether the item itself is promised or not', async () => {
    const { id } = await makePromised(when)
    const contents = () => mine.ctx.db.item.findMany({ where: { collectionId: id }, orderBy: { id: 'asc' } })
    const before = await contents()
    for (const { id: itemId, attributes } of before)
      for (const change of [
        { attributes: { title: 'Better' } },
        { attributes: { ...(attributes as object), rarity: 'low' } },
        { attributes, translations: { de: { title: 'Besser' } } },
        { attributes, translations: null },
      ])
        expect(code(await edit(itemId, change)), JSON.stringify(change)).toEqual(FIXED)
    const [{ id: same, attributes }] = before as [(typeof before)[0]]
    expect((await edit(same, { attributes })).status, 'what says the same is no change').toBe(200)
    expect((await contents()).map(({ updatedAt: _, ...row }) => row)).toEqual(
      before.map(({ updatedAt: _, ...row }) => row),
    )
  })

  test('the database refuses it of every statement', async () => {
    const { id, itemIds } = await makePromised(when)
    const type = (await api.post('/v1/item-types', { name: newId(), schema: { type: 'object' } })).body.id
    const where = Prisma.sql`WHERE id = ${itemIds[1]}::uuid`
    const item = (change: string) => Prisma.sql`UPDATE items SET ${Prisma.raw(change)} ${where}`
    const ofCollection = (change: string) =>
      Prisma.sql`UPDATE collections SET ${Prisma.raw(change)} WHERE id = ${id}::uuid`
    await systemClient().$executeRaw(
      item(`image_source = attributes->>'image_url', image_cid = 'first', image_file = 'first'`),
    )
    for (const statement of [
      item(`attributes = attributes || '{"title": "Better"}'`),
      item(`attributes = attributes - 'image_url'`),
      item('translations = NULL'),
      item(`item_type_id = '${type}'`),
      item(`image_cid = 'second', image_file = 'second'`),
      item('image_source = NULL, image_cid = NULL, image_file = NULL'),
      item('locked_at = NULL, token_id = NULL'),
      Prisma.sql`DELETE FROM items ${where}`,
      Prisma.sql`UPDATE items SET attributes = '{"title": "Same"}' WHERE collection_id = ${id}::uuid`,
      ofCollection('editable_metadata = true'),
      ofCollection(`reveal_strategy = 'INSTANT'`),
      ofCollection(`default_item_type_id = '${type}'`),
      ofCollection(`reveal_provenance = 'another'`),
      ofCollection(`reveal_commitment = 'another'`),
      ...(when === 'after' ? [ofCollection('revealed_at = NULL'), ofCollection(`revealed_seed = 'another'`)] : []),
    ]) {
      const refused = await systemClient()
        .$executeRaw(statement)
        .catch((error: unknown) => error)
      expect(areContentsFixed(refused), `${statement.sql}: ${String(refused)}`).toBe(true)
    }
  })

  test('the promise that editable_metadata stays false, the strategy and the default type are kept', async () => {
    const { id } = await makePromised(when)
    const type = (await api.post('/v1/item-types', { name: newId(), schema: { type: 'object' } })).body.id
    const change = (body: object) => api.patch(`/v1/collections/${id}`, body)
    expect(code(await change({ editable_metadata: true }))).toEqual(FIXED)
    expect(code(await change({ default_item_type_id: type }))).toEqual(FIXED)
    expect(code(await change({ reveal_strategy: 'INSTANT' }))).toEqual([409, 'reveal_impossible'])
    const other = { description: 'Boxes.', preview_metadata: { title: 'A box' }, editable_metadata: false }
    expect((await change(other)).status).toBe(200)
  })

  test('what was promised to nobody who bought can change again', async () => {
    const { itemIds, claimId } = await makePromised(when)
    expect((await api.delete(`/v1/email-claims/${claimId}`)).status).toBe(204)
    expect((await edit(itemIds[0])).status).toBe(200)
  })

  test('the first copy of an image is still stored, and stays', async () => {
    const { itemIds } = await makePromised(when)
    const [itemId] = itemIds
    const { attributes } = await mine.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })
    const source = (attributes as { image_url: string }).image_url
    const picture = (background: string) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer()
    const store = async (background: string) => {
      const bytes = await picture(background)
      replacePorts({ fetcher: { ...ports().fetcher, fetchImage: () => Promise.resolve(bytes) } })
      await storeItemImage(organizationContext(mine.id), { item_id: itemId, source })
      return (await mine.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })).imageFile
    }
    const first = await store('#7a3fd1')
    expect(first).not.toBeNull()
    expect(await store('#112233')).toBe(first)
  })
})

test('a promise that is being made while contents are edited is seen', async () => {
  const { id, itemIds } = await makeHidden()
  await reveal(id)
  const holdId = newId()
  let edited: Promise<ApiResponse> | undefined
  await systemClient().$transaction(async (tx) => {
    await tx.$executeRaw`
      INSERT INTO holds (id, organization_id, collection_id, item_id, holder_type, holder_id, quantity, updated_at)
      VALUES (${holdId}::uuid, ${mine.id}::uuid, ${id}::uuid, ${itemIds[0]}::uuid, 'CLAIM', ${newId()}::uuid, 1, now())`
    edited = edit(itemIds[1])
    await until('the edit waiting', async () => {
      const [{ waits }] = await tx.$queryRaw<[{ waits: boolean }]>`
        SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))) AS waits`
      return waits
    })
  })
  expect(code((await edited)!)).toEqual(FIXED)
  await mine.ctx.db.hold.deleteMany({ where: { id: holdId } })
})

test('a collection that nobody was promised anything of can be edited after its reveal, until the first promise', async () => {
  const { id, itemIds } = await makeHidden()
  await reveal(id)
  expect((await edit(itemIds[1])).status).toBe(200)
  await promise(itemIds[0])
  expect(code(await edit(itemIds[1], { attributes: { title: 'Best' } }))).toEqual(FIXED)
})

test('new items can be locked after the reveal, and edited until they are minted', async () => {
  const { id } = await makePromised('after')
  const late = await makeLocked(id)
  await promise(late)
  expect((await edit(late)).status).toBe(200)
  await mine.ctx.db.item.updateMany({ where: { id: late }, data: { minted: 1n } })
  expect(code(await edit(late, { attributes: { title: 'Best' } }))).toEqual([409, 'item_already_minted'])
  await mine.ctx.db.item.updateMany({ where: { id: late }, data: { minted: 0n } })
})

test('a collection with editable_metadata can be edited after its reveal, and one that hides nothing until the mint', async () => {
  const { itemIds } = await makePromised('after', { editable_metadata: true })
  expect((await edit(itemIds[1])).status).toBe(200)
  const instant = await makeLocked(await makeDeployedCollection(mine))
  await promise(instant)
  expect((await edit(instant)).status).toBe(200)
})

test('a line of an import that would add to promised contents fails with the reason', async () => {
  const { id } = await makePromised('before')
  await mine.ctx.db.collection.update({ where: { id }, data: { tokenIdAssignment: 'MANUAL' } })
  const made = await api.post('/v1/items/import', {
    collection_id: id,
    csv: 'title,token_id\nA,70\nB,\n',
    dry_run: false,
  })
  await runImports(systemContext())
  const rows = await mine.ctx.db.importRow.findMany({ where: { importId: made.body.id }, orderBy: { line: 'asc' } })
  expect(rows.map(({ state }) => state)).toEqual(['FAILED', 'DONE'])
  expect(rows[0]!.failure).toContain('promises that their contents stay')
})
