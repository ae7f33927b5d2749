import { beforeAll, describe, expect, test } from 'vitest'
import { zeroAddress } from 'viem'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { holdUnits } from '../../lib/stock/hold-units.ts'
import { type ApiResponse, callerOf, code } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { makeCollection, makeDeployedCollection, makeItems } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
const open = callerOf()
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

beforeAll(async () => {
  await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

type Row = { id: string }
const idsOf = (answer: ApiResponse): string[] => answer.body.results.map((row: Row) => row.id)
const fieldsOf = (answer: ApiResponse): string[] => answer.body.errors.map((error: { field: string }) => error.field)
const make = (collection_id: string, attributes: object = { title: 'Moonflower' }, more: object = {}) =>
  api.post('/v1/items', { collection_id, attributes, ...more })
const lock = (body: object) => api.post('/v1/items/lock', body)
const setCounters = (id: string, data: object) => mine.ctx.db.item.update({ where: { id }, data })
const hold = (collectionId: string, itemId: string, type: 'CLAIM' | 'MINT_REQUEST' = 'CLAIM', quantity = 1n) =>
  holdUnits(mine.ctx, { type, id: newId() }, { collectionId, itemId, quantity })

describe('creating items', () => {
  test('a new item is unlocked and not minted; null attributes are dropped', async () => {
    const collection = await makeCollection(api)
    const { status, body } = await make(collection, {
      title: ' Moonflower ',
      description: 'Opens\nat nine.',
      image_url: 'https://example.com/a.png',
      petals: 5,
      rare: true,
      gone: null,
    })
    expect(status).toBe(201)
    const url = 'https://example.com/a.png'
    expect(body).toEqual({
      id: expect.any(String),
      collection_id: collection,
      item_type_id: 'default',
      attributes: { title: 'Moonflower', description: 'Opens\nat nine.', image_url: url, petals: 5, rare: true },
      locked: false,
      max_supply: null,
      media: { image: { cid: null, full: url, original: url, thumb: url, tiny: url } },
      royalty_info: { receiver: zeroAddress, amount_bps: 0 },
      token_id: null,
      token_status: 'NOT_MINTED',
      minted: 0,
      held: 0,
      burned: 0,
      kept_by: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await api.get(`/v1/items/${body.id}`)).body).toEqual(body)
  })

  test('a title is required, images need https, and attributes must be scalars with valid names', async () => {
    const collection = await makeCollection(api)
    const untitled = await make(collection, { description: 'No title' })
    expect([...code(untitled), ...fieldsOf(untitled)]).toEqual([400, 'invalid_request', 'attributes.title'])
    expect(untitled.body.errors[0].code).toBe('required')
    for (const image_url of [
      'http://example.com/a.png',
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      '/etc/passwd',
      'ftp://example.com',
    ])
      expect(fieldsOf(await make(collection, { title: 'x', image_url }))).toEqual(['attributes.image_url'])
    const nested = await make(collection, { title: 'x', petals: { many: true } })
    expect([...code(nested), ...fieldsOf(nested)]).toEqual([422, 'attributes_invalid', 'attributes.petals'])
    expect(fieldsOf(await make(collection, { title: 'x', 'a:b': 1 }))).toEqual(['attributes.a:b'])
  })

  test('an unknown collection, or another organization’s, is not found', async () => {
    const theirs = await makeCollection(callerOf((await makeOrganization()).key))
    expect(code(await make(theirs))).toEqual([404, 'not_found'])
    expect(code(await make(newId()))).toEqual([404, 'not_found'])
    expect(
      code(await api.post('/v1/items/bulk', { items: [{ collection_id: theirs, attributes: { title: 'x' } }] })),
    ).toEqual([404, 'not_found'])
  })

  test('an item’s royalty is its own, else the collection’s', async () => {
    const collection = await makeCollection(api, { royalty_info: { receiver: OTHER, amount_bps: 100 } })
    expect((await make(collection)).body.royalty_info).toEqual({ receiver: OTHER, amount_bps: 100 })
    const own = { receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', amount_bps: 700 }
    expect((await make(collection, { title: 'x' }, { royalty_info: own })).body.royalty_info).toEqual(own)
    expect(fieldsOf(await make(collection, { title: 'x' }, { royalty_info: { ...own, amount_bps: 10_001 } }))).toEqual([
      'royalty_info.amount_bps',
    ])
  })

  test('bulk creation makes up to 1,000 items in order, or none', async () => {
    const collection = await makeCollection(api)
    const items = Array.from({ length: 1000 }, (_, at) => ({
      collection_id: collection,
      attributes: { title: `n${at}` },
    }))
    const { status, body } = await api.post('/v1/items/bulk', { items })
    expect([status, body.item_ids.length]).toEqual([201, 1000])
    expect((await api.get(`/v1/items/${body.item_ids[7]}`)).body.attributes.title).toBe('n7')
    const page = await api.get(`/v1/items?collection_id=${collection}&limit=1000&order_direction=ASC`)
    expect(idsOf(page)).toEqual(body.item_ids)

    expect((await api.post('/v1/items/bulk', { items: [...items, items[0]] })).status).toBe(400)
    const oneBad = await api.post('/v1/items/bulk', {
      items: [items[0], { collection_id: collection, attributes: { title: 'x', petals: [] } }],
    })
    expect([...code(oneBad), ...fieldsOf(oneBad)]).toEqual([422, 'attributes_invalid', 'items.1.attributes.petals'])
    expect((await api.get(`/v1/items?collection_id=${collection}`)).body.total_results).toBe(1000)
  })

  test('an external image is fetched by one job, enqueued with the item', async () => {
    const collection = await makeCollection(api)
    const { body } = await make(collection, { title: 'x', image_url: 'https://example.com/b.png' })
    const jobs = await mine.ctx.statement(
      `SELECT data FROM pgboss.job WHERE name = 'keep-image' AND data->>'item_id' = $1`,
      [body.id],
    )
    expect(jobs).toHaveLength(1)
    expect(jobs).toMatchObject([
      { data: { organization_id: mine.id, item_id: body.id, source: 'https://example.com/b.png' } },
    ])
  })
})

describe('item types', () => {
  const flower = {
    type: 'object',
    required: ['petals'],
    properties: { title: { type: 'string' }, petals: { type: 'integer', minimum: 3 } },
    additionalProperties: false,
  }
  const makeType = async (schema: object = flower) => (await api.post('/v1/item-types', { name: newId(), schema })).body

  test('attributes must be valid against the item type when created and changed', async () => {
    const type = await makeType()
    const collection = await makeCollection(api)
    const bad = await make(collection, { title: 'x', petals: 2, scent: 'sweet' }, { item_type_id: type.id })
    expect([...code(bad), ...fieldsOf(bad).sort()]).toEqual([
      422,
      'attributes_invalid',
      'attributes.petals',
      'attributes.scent',
    ])
    expect(fieldsOf(await make(collection, { title: 'x' }, { item_type_id: type.id }))).toEqual(['attributes.petals'])
    const good = await make(collection, { title: 'x', petals: 3 }, { item_type_id: type.id })
    expect([good.status, good.body.item_type_id]).toEqual([201, type.id])
    const later = await api.patch(`/v1/items/${good.body.id}`, { attributes: { title: 'x', petals: 1 } })
    expect(code(later)).toEqual([422, 'attributes_invalid'])
  })

  test('items without a type get the collection’s default type', async () => {
    const type = await makeType()
    const collection = await makeCollection(api, { default_item_type_id: type.id })
    expect(code(await make(collection, { title: 'x' }))).toEqual([422, 'attributes_invalid'])
    expect((await make(collection, { title: 'x', petals: 5 })).body.item_type_id).toBe(type.id)
  })

  test('a type in use cannot change its schema or be deleted; its name can change', async () => {
    const type = await makeType()
    expect(type).toMatchObject({ in_use: false, schema: flower })
    expect((await api.patch(`/v1/item-types/${type.id}`, { schema: { type: 'object' } })).body.schema).toEqual({
      type: 'object',
    })
    await makeCollection(api, { default_item_type_id: type.id })
    expect((await api.get(`/v1/item-types/${type.id}`)).body.in_use).toBe(true)
    expect(code(await api.patch(`/v1/item-types/${type.id}`, { schema: flower }))).toEqual([409, 'item_type_in_use'])
    expect(code(await api.delete(`/v1/item-types/${type.id}`))).toEqual([409, 'item_type_in_use'])
    const name = newId()
    expect((await api.patch(`/v1/item-types/${type.id}`, { name })).body.name).toBe(name)
    expect(code(await api.post('/v1/item-types', { name, schema: {} }))).toEqual([409, 'name_taken'])
    const unused = await makeType()
    expect((await api.delete(`/v1/item-types/${unused.id}`)).status).toBe(204)
    expect((await api.get(`/v1/item-types/${unused.id}`)).status).toBe(404)
    expect(idsOf(await api.get('/v1/item-types'))).toContain(type.id)
  })

  test.each([
    ['a wrong keyword value', { type: 'object', properties: { a: { minimum: 'x' } } }, 'schema.properties.a.minimum'],
    ['an unknown type', { type: 'flower' }, 'schema.type'],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }, 'schema.$ref'],
    ['an $id', { $id: 'https://example.com/schema' }, 'schema.$id'],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'schema.$schema'],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }, 'schema'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, 'schema'],
  ])('a schema with %s is refused, naming the place', async (_, schema, field) => {
    const refused = await api.post('/v1/item-types', { name: newId(), schema })
    expect([...code(refused), fieldsOf(refused)[0]]).toEqual([422, 'schema_invalid', field])
  })

  test('local references and the 2020-12 $schema are accepted', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { petals: { $ref: '#/$defs/count' } },
      $defs: { count: { type: 'integer' } },
    }
    const type = await makeType(schema)
    expect(type.schema).toEqual(schema)
    expect(
      code(await make(await makeCollection(api), { title: 'x', petals: 'many' }, { item_type_id: type.id })),
    ).toEqual([422, 'attributes_invalid'])
  })

  test('a pattern with repetitions in repetitions is matched in linear time', async () => {
    const type = await makeType({ properties: { scent: { pattern: '^(a+)+$' } } })
    const collection = await makeCollection(api)
    const makeOf = (scent: string) => make(collection, { title: 'x', scent }, { item_type_id: type.id })
    const refused = await makeOf(`${'a'.repeat(60_000)}b`)
    expect([...code(refused), refused.body.errors[0].code]).toEqual([422, 'attributes_invalid', 'pattern'])
    expect((await makeOf('a'.repeat(60))).status).toBe(201)
  })

  test.each<[string, object, unknown]>([
    ['a pattern that only JavaScript reads', { pattern: '^(?=(a+)+$)' }, `${'a'.repeat(60)}b`],
    [
      'many schemas for each entry of a list',
      { allOf: Array.from({ length: 1_500 }, () => ({ items: { type: 'string' } })) },
      Array.from({ length: 20_000 }, () => 1),
    ],
    [
      'references that multiply',
      {
        allOf: [{ $ref: '#/$defs/d0' }],
        $defs: Object.fromEntries(
          Array.from({ length: 26 }, (_, at) => [
            `d${at}`,
            at === 25
              ? { type: 'string' }
              : { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
          ]),
        ),
      },
      1,
    ],
  ])('attributes that take too long to check are refused, never valid: %s', async (_, part, value) => {
    const { $defs, ...scent } = part as { $defs?: object }
    const type = await makeType({ properties: { scent }, ...($defs && { $defs }) })
    const collection = await makeCollection(api)
    const refused = await make(collection, { title: 'x', scent: value }, { item_type_id: type.id })
    expect([...code(refused), refused.body.errors[0].field]).toEqual([422, 'schema_too_slow', 'attributes'])
    const next = await make(collection, { title: 'x' }, { item_type_id: type.id })
    expect(next.status).toBe(201)
  })
})

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
    const { body } = await make(collection.toUpperCase())
    expect((await lock({ item_ids: [body.id.toUpperCase()] })).body.lock_outputs).toEqual([
      { item_id: body.id, token_id: '1' },
    ])
    expect((await api.get(`/v1/items/${body.id.toUpperCase()}`)).body.id).toBe(body.id)
  })

  test('every change is in the audit log with its actor', async () => {
    const collection = await makeCollection(api)
    const { body } = await make(collection)
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
    return { collection, freeTokenId: () => setCounters(id, { tokenId: '1000000' }) }
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
    await hold(collection, a!)
    expect(await pool()).toBe(4n)
  })
})

describe('changing items', () => {
  test('given attributes overwrite, others stay, null removes', async () => {
    const { body } = await make(await makeCollection(api), { title: 'a', colour: 'red', scent: 'sweet' })
    const changed = await api.patch(`/v1/items/${body.id}`, { attributes: { title: 'b', scent: null, petals: 5 } })
    expect(changed.body.attributes).toEqual({ title: 'b', colour: 'red', petals: 5 })
    expect(fieldsOf(await api.patch(`/v1/items/${body.id}`, { attributes: { colour: 'blue' } }))).toEqual([
      'attributes.title',
    ])
    expect(fieldsOf(await api.patch(`/v1/items/${body.id}`, { attributes: { title: null } }))).toEqual([
      'attributes.title',
    ])
    expect(fieldsOf(await api.patch(`/v1/items/${body.id}`, {}))).toEqual(['attributes'])
    expect(fieldsOf(await api.patch(`/v1/items/${body.id}`, { attributes: { title: 'b' }, locked: false }))).toEqual([
      'locked',
    ])
  })

  test('editable_metadata cannot be switched on while a mint is pending', async () => {
    const collection = await makeDeployedCollection(mine)
    const [minting] = await makeItems(api, collection)
    await hold(collection, minting!, 'MINT_REQUEST')
    const { status, body } = await api.patch(`/v1/collections/${collection}`, { editable_metadata: true })
    expect([status, body.code]).toEqual([409, 'item_already_minted'])
  })

  test('attributes of an item that is minted or has a pending mint cannot change', async () => {
    const collection = await makeDeployedCollection(mine)
    const [minted, minting, free] = await makeItems(api, collection, 3)
    await setCounters(minted!, { minted: 1n })
    await hold(collection, minting!, 'MINT_REQUEST')
    await hold(collection, free!)
    for (const id of [minted, minting])
      expect(code(await api.patch(`/v1/items/${id}`, { attributes: { title: 'New' } }))).toEqual([
        409,
        'item_already_minted',
      ])
    expect((await api.patch(`/v1/items/${free}`, { attributes: { title: 'New' } })).status).toBe(200)
    expect((await api.patch(`/v1/items/${minted}`, { attributes: { title: 'Item 1' } })).status).toBe(200)
  })

  test('with editable_metadata minted attributes can change, and the contract emits a metadata update', async () => {
    const collection = await makeDeployedCollection(mine, { editable_metadata: true })
    const [id] = await makeItems(api, collection)
    await setCounters(id!, { minted: 1n })
    expect((await api.patch(`/v1/items/${id}`, { attributes: { title: 'New' } })).body.attributes.title).toBe('New')
    const sent = await mine.ctx.db.transaction.findMany({
      where: { collectionId: collection, txType: 'UPDATE_METADATA' },
    })
    expect(sent.map((row) => row.payload)).toEqual([{ from_token_id: '1', to_token_id: '1' }])
  })

  test('an item’s royalty is sent to the contract once the item is locked and the contract deployed', async () => {
    const collection = await makeCollection(api)
    const royalty_info = { receiver: OTHER, amount_bps: 500 }
    const [early, late] = await makeItems(api, collection, 2, { lock: false })
    await api.patch(`/v1/items/${early}`, { attributes: { title: 'x' }, royalty_info })
    await lock({ item_id: early })
    const sent = () =>
      mine.ctx.db.transaction.findMany({
        where: { collectionId: collection, txType: 'SET_ROYALTY' },
        orderBy: { id: 'asc' },
      })
    expect(await sent()).toEqual([])
    await api.post(`/v1/collections/${collection}/deployment-request`, {
      network_id: 31337,
      platform: { symbol: 'X', variant: 'ERC721' },
    })
    const { inTransaction } = await import('../../lib/platform/auth/context.ts')
    const { completeDeployment } = await import('../../lib/catalog/collections/advance-deployment.ts')
    await inTransaction(mine.ctx, (tx) => completeDeployment(tx, collection))
    await api.patch(`/v1/items/${late}`, { attributes: { title: 'x' }, royalty_info })
    await lock({ item_id: late })
    await api.patch(`/v1/items/${late}`, { attributes: { title: 'x' }, royalty_info: null })
    expect((await sent()).map((row) => row.payload)).toEqual([
      { token_id: '1', ...royalty_info },
      { token_id: '2', ...royalty_info },
      { token_id: '2', receiver: zeroAddress, amount_bps: 0 },
    ])
  })

  test('a royalty on a contract we cannot administer is refused', async () => {
    const collection = await makeDeployedCollection(mine)
    const [id] = await makeItems(api, collection)
    await mine.ctx.db.collection.update({
      where: { id: collection },
      data: { deploymentType: 'EXTERNAL', minter: null },
    })
    const royalty_info = { receiver: OTHER, amount_bps: 500 }
    expect(code(await api.patch(`/v1/items/${id}`, { attributes: { title: 'x' }, royalty_info }))).toEqual([
      422,
      'royalty_unsupported',
    ])
    expect(code(await make(collection, { title: 'x' }, { royalty_info }))).toEqual([422, 'royalty_unsupported'])
    expect(code(await api.patch(`/v1/collections/${collection}`, { royalty_info }))).toEqual([
      422,
      'royalty_unsupported',
    ])
  })

  test('an edit and a mint at once: the edit is applied or refused', async () => {
    const collection = await makeDeployedCollection(mine)
    const ids = await makeItems(api, collection, 12)
    await Promise.all(
      ids.map(async (id, at) => {
        const [edit] = await Promise.all([
          api.patch(`/v1/items/${id}`, { attributes: { title: 'Edited' } }),
          hold(collection, id, 'MINT_REQUEST'),
        ])
        const { title } = (await api.get(`/v1/items/${id}`)).body.attributes
        expect([edit.status, title]).toEqual(edit.status === 200 ? [200, 'Edited'] : [409, `Item ${at + 1}`])
      }),
    )
  })

  test('only unlocked items can be deleted', async () => {
    const collection = await makeCollection(api)
    const [a, b] = await makeItems(api, collection, 2, { lock: false })
    await lock({ item_id: b })
    expect((await api.delete(`/v1/items/${a}`)).status).toBe(204)
    expect((await api.delete(`/v1/items/${a}`)).status).toBe(404)
    expect(code(await api.delete(`/v1/items/${b}`))).toEqual([409, 'item_already_locked'])
  })
})

describe('listing items', () => {
  test('the list is filtered by collection, lock, token status, title and attributes', async () => {
    const collection = await makeDeployedCollection(mine)
    const [a, b, c] = await makeItems(api, collection, 3)
    const [d] = await makeItems(api, collection, 1, {
      lock: false,
      attributes: { title: '100% silk_worm', petals: 5, rare: true, 'colour of': 'a:b,c' },
    })
    await setCounters(a!, { minted: 1n })
    await setCounters(b!, { minted: 1n, burned: 1n })
    await hold(collection, c!, 'MINT_REQUEST')
    const list = async (query: string) => idsOf(await api.get(`/v1/items?collection_id=${collection}&${query}`))
    expect(await list('')).toEqual([d, c, b, a])
    expect(await list('order_direction=ASC')).toEqual([a, b, c, d])
    expect(await list('locked=false')).toEqual([d])
    expect(await list('locked=true&limit=2')).toEqual([c, b])
    expect(await list('token_status=MINTED')).toEqual([a])
    expect(await list('token_status=BURNED')).toEqual([b])
    expect(await list('token_status=MINTING')).toEqual([c])
    expect(await list('token_status=NOT_MINTED')).toEqual([d])
    expect(await list('search=100% SILK_')).toEqual([d])
    expect(await list('search=_00')).toEqual([])
    expect(await list('attribute=petals:5&attribute=rare:true')).toEqual([d])
    expect(await list('attribute=petals:5&attribute=rare:false')).toEqual([])
    expect(await list(`attribute=${encodeURIComponent('colour of:a:b,c')}`)).toEqual([d])
    expect((await api.get('/v1/items?attribute=petals')).status).toBe(400)
    expect((await api.get('/v1/items?limit=1001')).status).toBe(400)
    expect((await api.get('/v1/items?cursor=abc')).body.code).toBe('invalid_cursor')
  })

  test('another organization’s items are in no list', async () => {
    const other = await makeOrganization()
    await makeItems(callerOf(other.key), await makeCollection(callerOf(other.key)), 2, { lock: false })
    expect((await callerOf(other.key).get('/v1/items')).body.total_results).toBe(2)
    expect((await callerOf((await makeOrganization()).key).get('/v1/items')).body.total_results).toBe(0)
  })

  test('paging while items are made shows every earlier item once', async () => {
    const collection = await makeCollection(api)
    const made = await makeItems(api, collection, 7, { lock: false })
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await api.get(`/v1/items?collection_id=${collection}&limit=3&cursor=${cursor}`)
      seen.push(...body.results.map((row: Row) => row.id))
      await makeItems(api, collection, 1, { lock: false })
      if (!body.has_more) break
      cursor = body.cursor
    }
    expect(seen).toEqual(made.toReversed())
  })

  test('an item’s holds are listed with its unit counts', async () => {
    const collection = await makeDeployedCollection(mine, { variant: 'ERC1155' })
    const [id] = await makeItems(api, collection, 1, { max_supply: 10 })
    await hold(collection, id!, 'CLAIM', 3n)
    const { holdId } = await hold(collection, id!, 'MINT_REQUEST', 2n)
    const { body } = await api.get(`/v1/items/${id}/holds`)
    expect(body).toMatchObject({
      max_supply: 10,
      minted: 0,
      held: 5,
      kept: 0,
      kept_by: null,
      free: 5,
      total_results: 2,
    })
    expect(body.results[0]).toEqual({
      id: holdId,
      holder_type: 'MINT_REQUEST',
      holder_id: expect.any(String),
      quantity: 2,
      state: 'HELD',
      created_at: expect.any(String),
    })
    expect((await api.get(`/v1/items/${id}/holds?state=RELEASED`)).body.total_results).toBe(0)
    expect((await api.get(`/v1/items/${newId()}/holds`)).status).toBe(404)
  })
})

describe('public items', () => {
  test('only locked items of deployed, public collections are shown', async () => {
    const collection = await makeDeployedCollection(mine)
    const [shown] = await makeItems(api, collection, 1, { attributes: { description: 'Opens at nine.', petals: 5 } })
    const [unlocked] = await makeItems(api, collection, 1, { lock: false })
    const [undeployed] = await makeItems(api, await makeCollection(api), 1)
    const [hidden] = await makeItems(api, await makeDeployedCollection(mine, { is_public: false }), 1)
    const { body } = await open.get(`/public/v1/items/${shown}`)
    expect(body).toEqual({
      id: shown,
      collection_id: collection,
      token_id: '1',
      token_type: 'ERC721',
      network_id: 31337,
      contract_address: expect.stringMatching(/^0x/),
      attributes: { title: { value: 'Item 1' }, description: { value: 'Opens at nine.' }, petals: { value: 5 } },
      media: { image: null },
      title: 'Item 1',
      description: 'Opens at nine.',
    })
    for (const id of [unlocked, undeployed, hidden, newId(), 'nonsense'])
      expect((await open.get(`/public/v1/items/${id}`)).status).toBe(404)
    expect(idsOf(await open.get(`/public/v1/items?collection_ids=${collection}`))).toEqual([shown])
    const all = idsOf(await open.get(`/public/v1/items?organization_id=${mine.id}&limit=1000`))
    for (const id of [unlocked, undeployed, hidden]) expect(all).not.toContain(id)
  })

  test('the list is filtered by collection, token, network, attributes and owner', async () => {
    const gallery = await makeOrganization()
    const their = callerOf(gallery.key)
    const one = await makeDeployedCollection(gallery)
    const two = await makeDeployedCollection(gallery)
    const [a, b] = await makeItems(their, one, 2, { attributes: { colour: 'red' } })
    const [c] = await makeItems(their, two, 1, { attributes: { colour: 'red', size: 'L,XL' } })
    await gallery.ctx.db.itemOwner.create({
      data: { organizationId: gallery.id, itemId: b!, address: OTHER, quantity: 1 },
    })
    await gallery.ctx.db.itemOwner.create({
      data: { organizationId: gallery.id, itemId: a!, address: OTHER, quantity: 0 },
    })
    const list = async (query: string) =>
      idsOf(await open.get(`/public/v1/items?organization_id=${gallery.id}&${query}`))
    expect(await list('')).toEqual([c, b, a])
    expect(await list(`collection_ids=${one},${two}`)).toEqual([c, b, a])
    expect(await list(`collection_ids=${one}&collection_ids=${newId()}`)).toEqual([b, a])
    expect(await list('token_ids=1')).toEqual([c, a])
    expect(await list('token_ids=1,2&order_direction=ASC')).toEqual([a, b, c])
    expect(await list('network_ids=31337&network_ids=1')).toEqual([c, b, a])
    expect(await list('network_ids=1')).toEqual([])
    expect(await list('attributes=colour:red&attributes=size:L,XL')).toEqual([c])
    expect(await list(`owner=${OTHER.toLowerCase()}`)).toEqual([b])
    expect(await list('attributes=&cursor=&network_ids=')).toEqual([c, b, a])
    const largest = String(2n ** 256n - 1n)
    await gallery.ctx.db.item.updateMany({ where: { id: c! }, data: { tokenId: largest } })
    expect(await list(`token_ids=${largest}`)).toEqual([c])
    expect(await list(`token_ids=1,${largest}`)).toEqual([c, a])
    expect(await list('token_ids=2147483648')).toEqual([])
    expect(await list('token_ids=-1,01')).toEqual([a])
    for (const wrong of ['x', '0x1', '1.5', String(2n ** 256n), '9'.repeat(79), '-2147483649'])
      expect((await open.get(`/public/v1/items?token_ids=${wrong}`)).body, wrong).toMatchObject({
        status: 400,
        errors: [{ detail: 'A token id is needed: a whole number up to 2^256 - 1, in decimal digits.' }],
      })
    expect((await open.get(`/public/v1/items?owner=0x70997970c51812dc3A010C7d01b50e0d17dc79C8`)).status).toBe(400)
    expect((await open.get('/public/v1/items?collection_ids=x')).status).toBe(400)
  })

  test('an unrevealed item shows its preview and is not found by its attributes', async () => {
    const collection = await makeDeployedCollection(mine, {
      reveal_strategy: 'DELAYED',
      preview_metadata: { title: 'A closed flower' },
    })
    const [id] = await makeItems(api, collection, 1, { attributes: { secret: 'gold' } })
    const { body } = await open.get(`/public/v1/items/${id}`)
    expect([body.title, body.attributes]).toEqual(['A closed flower', { title: { value: 'A closed flower' } }])
    expect(idsOf(await open.get(`/public/v1/items?collection_ids=${collection}&attributes=secret:gold`))).toEqual([])
    await api.post(`/v1/collections/${collection}/reveal`, {})
    expect((await open.get(`/public/v1/items/${id}`)).body.attributes.secret).toEqual({ value: 'gold' })
  })
})
