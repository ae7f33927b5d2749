import { beforeAll, describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf, code, fieldsOf } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { makeCollection, makeDeployedCollection, makeItems } from '../support/collections.ts'
import { hold, make, setCounters } from '../support/items.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const lock = (body: object) => api.post('/v1/items/lock', body)

describe('locking items', () => {
  test('one item, several items and the rest of a collection get the next token ids', async () => {
    const collection = await makeCollection(api)
    const [a, b, c, d] = await makeItems(api, collection, 4, { lock: false })
    expect((await lock({ item_id: b })).body).toEqual({ lock_outputs: [{ item_id: b, token_id: '1' }] })
    expect((await lock({ item_ids: [d, a] })).body).toEqual({
      lock_outputs: [
        { item_id: d, token_id: '2' },
        { item_id: a, token_id: '3' },
      ],
    })
    expect((await lock({ collection_id: collection })).body).toEqual({ lock_outputs: [{ item_id: c, token_id: '4' }] })
    expect((await lock({ collection_id: collection })).body).toEqual({ lock_outputs: [] })
    expect((await api.get(`/v1/items/${b}`)).body).toMatchObject({ locked: true, token_id: '1', max_supply: null })
  })

  test('named items are locked all or none, leaving no gap in the token ids', async () => {
    const collection = await makeCollection(api)
    const [a, b] = await makeItems(api, collection, 2, { lock: false })
    await lock({ item_id: b })
    const refused = await lock({ item_ids: [a, b] })
    expect([...code(refused), ...fieldsOf(refused)]).toEqual([409, 'item_already_locked', 'item_ids.1'])
    expect((await api.get(`/v1/items/${a}`)).body.locked).toBe(false)
    expect(code(await lock({ item_id: b }))).toEqual([409, 'item_already_locked'])
    expect(code(await lock({ item_ids: [a, newId()] }))).toEqual([404, 'not_found'])
    expect((await lock({ item_id: a })).body.lock_outputs[0].token_id).toBe('2')
  })

  test('ids are accepted in upper case', async () => {
    const collection = await makeCollection(api)
    const { body } = await make(api, collection.toUpperCase())
    expect((await lock({ item_ids: [body.id.toUpperCase()] })).body.lock_outputs).toEqual([
      { item_id: body.id, token_id: '1' },
    ])
    expect((await api.get(`/v1/items/${body.id.toUpperCase()}`)).body.id).toBe(body.id)
  })

  test('every change is in the audit log with its actor', async () => {
    const collection = await makeCollection(api)
    const { body } = await make(api, collection)
    await api.patch(`/v1/items/${body.id}`, { attributes: { title: 'Renamed' } })
    await lock({ item_id: body.id })
    const entries = await mine.ctx.db.auditEntry.findMany({
      where: { subjectId: { in: [body.id, collection] } },
      orderBy: { id: 'asc' },
    })
    expect(entries.map((entry) => entry.action)).toEqual([
      'collection.created',
      'item.created',
      'item.updated',
      'items.locked',
    ])
    expect(entries.every((entry) => entry.actorType === 'api_key' && entry.actorId === mine.keyId)).toBe(true)
  })

  test('a lock request names items in exactly one way', async () => {
    expect((await lock({})).status).toBe(400)
    expect((await lock({ item_id: newId(), collection_id: newId() })).status).toBe(400)
    expect(fieldsOf(await lock({ collection_id: newId(), token_id: 4 }))).toEqual(['token_id'])
    expect((await lock({ collection_id: newId() })).status).toBe(404)
  })

  test('an ERC-721 item has one unit, an ERC-1155 item any number', async () => {
    const single = await makeDeployedCollection(mine)
    const [a] = await makeItems(api, single, 1, { lock: false })
    const several = await lock({ item_id: a, max_supply: 2 })
    expect([...code(several), ...fieldsOf(several)]).toEqual([422, 'supply_invalid', 'max_supply'])
    expect(several.body.detail).toBe('An ERC-721 item is one of a kind: give 1, or leave max_supply out.')
    await lock({ item_id: a })
    expect((await api.get(`/v1/items/${a}`)).body.max_supply).toBe(1)
    const multiple = await makeDeployedCollection(mine, { variant: 'ERC1155' })
    const [b, c] = await makeItems(api, multiple, 2, { lock: false })
    await lock({ item_id: b })
    await lock({ item_id: c, max_supply: 7 })
    expect((await api.get(`/v1/items/${b}`)).body.max_supply).toBeNull()
    expect((await api.get(`/v1/items/${c}`)).body.max_supply).toBe(7)
  })

  test('locking beyond the collection’s max_supply is refused', async () => {
    const automatic = await makeDeployedCollection(mine, { platform: { max_supply: 2 } })
    await makeItems(api, automatic, 2)
    const [over] = await makeItems(api, automatic, 1, { lock: false })
    expect(code(await lock({ item_id: over }))).toEqual([422, 'supply_invalid'])
    const units = await makeDeployedCollection(mine, { variant: 'ERC1155', platform: { max_supply: 10 } })
    const [a, b] = await makeItems(api, units, 2, { lock: false })
    expect(code(await lock({ item_id: a }))).toEqual([422, 'supply_invalid'])
    expect((await lock({ item_id: a, max_supply: 8 })).status).toBe(201)
    expect(code(await lock({ item_id: b, max_supply: 3 }))).toEqual([422, 'supply_invalid'])
  })

  test('token ids are required and unique in a MANUAL collection, and refused in an automatic one', async () => {
    const manual = await makeDeployedCollection(mine, { assignment: 'MANUAL' })
    const [a, b] = await makeItems(api, manual, 2, { lock: false })
    expect(code(await lock({ item_id: a }))).toEqual([422, 'token_id_invalid'])
    expect((await lock({ item_id: a, token_id: '0077' })).body.lock_outputs[0].token_id).toBe('77')
    expect(code(await lock({ item_id: b, token_id: 77 }))).toEqual([409, 'token_id_taken'])
    expect(code(await lock({ item_id: b, token_id: (2n ** 256n).toString() }))).toEqual([422, 'token_id_invalid'])
    expect((await lock({ item_id: b, token_id: (2n ** 256n - 1n).toString() })).status).toBe(201)
    const automatic = await makeCollection(api)
    const [c] = await makeItems(api, automatic, 1, { lock: false })
    expect(code(await lock({ item_id: c, token_id: 5 }))).toEqual([422, 'token_id_invalid'])
  })

  test('24 simultaneous locks give each token id once, without a gap', async () => {
    const collection = await makeCollection(api)
    const ids = await makeItems(api, collection, 24, { lock: false })
    const answers = await Promise.all([...ids.map((item_id) => lock({ item_id })), lock({ collection_id: collection })])
    const rows = await mine.ctx.db.item.findMany({ where: { collectionId: collection } })
    expect(rows.map((row) => Number(row.tokenId)).sort((x, y) => x - y)).toEqual(
      Array.from({ length: 24 }, (_, at) => at + 1),
    )
    expect(answers.filter((answer) => answer.status >= 500)).toEqual([])
  })

  const LARGE = 5_003
  /** A collection with that many unlocked items, and a locked one that has the token id `taken` already. */
  async function makeLarge(taken: number, options: object = {}) {
    const collection = await makeCollection(api, options)
    await mine.ctx.sql(Prisma.sql`
      INSERT INTO items (id, organization_id, collection_id, attributes, updated_at)
      SELECT uuidv7(), ${mine.id}::uuid, ${collection}::uuid, jsonb_build_object('title', 'No. ' || n), now() FROM generate_series(1, ${LARGE}::int) n`)
    const { id } = await mine.ctx.db.item.create({
      data: {
        id: newId(),
        organizationId: mine.id,
        collectionId: collection,
        attributes: { title: 'First' },
        tokenId: String(taken),
        lockedAt: new Date(),
      },
    })
    return { collection, freeTokenId: () => setCounters(mine, id, { tokenId: '1000000' }) }
  }
  const countLocked = (collectionId: string) =>
    mine.ctx.db.item.count({ where: { collectionId, lockedAt: { not: null } } })

  test('a large collection is locked in batches; after a failure the next request locks what remains', async () => {
    const { collection, freeTokenId } = await makeLarge(5_002)
    const headers = { 'idempotency-key': newId() }
    const all = () => api.post('/v1/items/lock', { collection_id: collection }, headers)
    expect(code(await all())).toEqual([409, 'token_id_taken'])
    expect(await countLocked(collection)).toBe(5_001)
    await freeTokenId()
    const rest = await all()
    expect(rest.status).toBe(201)
    const tokenIds = rest.body.lock_outputs.map(({ token_id }: { token_id: string }) => token_id)
    expect(tokenIds).toEqual(['5001', '5002', '5003'])
    expect((await all()).body).toEqual(rest.body)
    expect(await countLocked(collection)).toBe(LARGE + 1)
  })

  test('the answer names the items of all batches, oldest first', async () => {
    const { collection } = await makeLarge(1_000_000)
    const { body } = await api.post('/v1/items/lock', { collection_id: collection }, { 'idempotency-key': newId() })
    const rows = await mine.ctx.db.item.findMany({ where: { collectionId: collection }, orderBy: { id: 'asc' } })
    expect(body.lock_outputs).toEqual(
      rows.slice(0, LARGE).map(({ id }, at) => ({ item_id: id, token_id: String(at + 1) })),
    )
    expect(rows.slice(0, LARGE).map(({ tokenId }) => tokenId)).toEqual(rows.slice(0, LARGE).map((_, at) => `${at + 1}`))
  })

  test('nothing of a large collection is locked where its supply is too small for all, or its contents are hidden', async () => {
    const { collection: small } = await makeLarge(4)
    await mine.ctx.db.collection.update({ where: { id: small }, data: { tokenType: 'ERC721', maxSupply: 5_002n } })
    await mine.ctx.db.item.updateMany({ where: { collectionId: small, tokenId: '4' }, data: { maxSupply: 1n } })
    expect(code(await lock({ collection_id: small }))).toEqual([422, 'supply_invalid'])
    const { collection: hidden } = await makeLarge(5_002, {
      reveal_strategy: 'DELAYED',
      preview_metadata: { title: 'Soon' },
    })
    expect(code(await lock({ collection_id: hidden }))).toEqual([409, 'token_id_taken'])
    expect([await countLocked(small), await countLocked(hidden)]).toEqual([1, 1])
  })

  test('the collection’s pool counts its locked, unheld units', async () => {
    const collection = await makeDeployedCollection(mine)
    const [a] = await makeItems(api, collection, 5)
    const pool = async () => (await mine.ctx.db.collection.findFirstOrThrow({ where: { id: collection } })).poolFree
    expect(await pool()).toBe(5n)
    await hold(mine, collection, a!)
    expect(await pool()).toBe(4n)
  })
})
