import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { type ApiResponse, callerOf, code } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const flower = { type: 'object', properties: { petals: { type: 'integer', minimum: 3 } } }
const makeType = async (schema: object = flower, name = newId()) =>
  (await api.post('/v1/item-types', { name, schema })).body
const makeItem = async (attributes: object, item_type_id: string, collection_id?: string) =>
  api.post('/v1/items', {
    collection_id: collection_id ?? (await makeCollection(api)),
    attributes: { title: 'x', ...attributes },
    item_type_id,
  })

describe('item types', () => {
  test('a type is created, listed, read, renamed and deleted, with audit entries', async () => {
    const own = await makeOrganization()
    const caller = callerOf(own.key)
    const made = await caller.post('/v1/item-types', { name: ' Flower ', schema: flower })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: made.body.id,
      name: 'Flower',
      schema: flower,
      in_use: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const second = (await caller.post('/v1/item-types', { name: 'Bird', schema: {} })).body
    expect((await caller.get('/v1/item-types')).body).toMatchObject({
      total_results: 2,
      has_more: false,
      results: [{ id: second.id }, { id: made.body.id }],
    })
    const first = (await caller.get('/v1/item-types?limit=1')).body
    expect((await caller.get(`/v1/item-types?limit=1&cursor=${first.cursor}`)).body.results).toEqual([made.body])
    expect((await caller.get(`/v1/item-types/${made.body.id}`)).body).toEqual(made.body)
    expect((await caller.patch(`/v1/item-types/${made.body.id}`, { name: 'Night flower' })).body).toMatchObject({
      name: 'Night flower',
      schema: flower,
    })
    expect((await caller.delete(`/v1/item-types/${made.body.id}`)).status).toBe(204)
    expect(code(await caller.delete(`/v1/item-types/${made.body.id}`))).toEqual([404, 'not_found'])
    const audited = await systemClient().auditEntry.findMany({
      where: { organizationId: own.id, subjectId: made.body.id },
      orderBy: { id: 'asc' },
    })
    expect(audited.map(({ action }) => action)).toEqual(['item_type.created', 'item_type.updated', 'item_type.deleted'])
  })

  test('the order of attributes is kept, and can change even while the type is in use', async () => {
    const properties = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) })
    const namesIn = ({ body }: ApiResponse) => Object.keys(body.schema.properties)
    const { id } = await makeType(properties('zebra', 'ant', 'longer', 'b'))
    expect(namesIn(await api.get(`/v1/item-types/${id}`))).toEqual(['zebra', 'ant', 'longer', 'b'])
    await makeCollection(api, { default_item_type_id: id })
    expect(
      namesIn(await api.patch(`/v1/item-types/${id}`, { schema: properties('b', 'zebra', 'longer', 'ant') })),
    ).toEqual(['b', 'zebra', 'longer', 'ant'])
  })

  test('a name is unique within an organization', async () => {
    const name = newId()
    const { id } = await makeType(flower, name)
    const twice = await api.post('/v1/item-types', { name, schema: flower })
    expect([...code(twice), twice.body.errors[0].field]).toEqual([409, 'name_taken', 'name'])
    expect(code(await api.patch(`/v1/item-types/${(await makeType()).id}`, { name }))).toEqual([409, 'name_taken'])
    expect((await api.patch(`/v1/item-types/${id}`, { name })).status).toBe(200)
    expect(
      (await callerOf((await makeOrganization()).key).post('/v1/item-types', { name, schema: flower })).status,
    ).toBe(201)
  })

  test('a type needs a name and a schema that is an object', async () => {
    for (const body of [
      { schema: flower },
      { name: ' ', schema: flower },
      { name: 'x' },
      { name: 'x', schema: [] },
      { name: 'x', schema: 'object' },
      { name: 'x', schema: null },
    ])
      expect(code(await api.post('/v1/item-types', body))).toEqual([400, 'invalid_request'])
  })
})

describe('schema validation', () => {
  test.each([
    [
      'prefixItems',
      { properties: { pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false } } },
      { pair: ['a', 1] },
      { pair: ['a', 'b'] },
    ],
    ['dependentRequired', { dependentRequired: { height: ['width'] } }, { height: 1, width: 2 }, { height: 1 }],
    [
      'unevaluatedProperties',
      { properties: { title: {} }, allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1 },
      { b: 1 },
    ],
    [
      '$dynamicRef and $anchor',
      { $defs: { n: { $anchor: 'n', type: 'number' } }, properties: { a: { $ref: '#n' } } },
      { a: 1 },
      { a: 'x' },
    ],
    [
      'if, then, else',
      { if: { properties: { rare: { const: true } }, required: ['rare'] }, then: { required: ['edition'] } },
      { rare: true, edition: 1 },
      { rare: true },
    ],
    [
      'minContains',
      { properties: { tags: { contains: { const: 'a' }, minContains: 2 } } },
      { tags: ['a', 'a'] },
      { tags: ['a'] },
    ],
  ])('JSON Schema 2020-12 is applied: %s', async (_, schema, good, bad) => {
    const type = await makeType(schema)
    expect((await makeItem(good, type.id)).status).toBe(201)
    const refused = await makeItem(bad, type.id)
    expect(code(refused)).toEqual([422, 'attributes_invalid'])
    expect(refused.body.errors[0].field).toMatch(/^attributes/)
  })

  test('every invalid attribute is named with its path', async () => {
    const type = await makeType({
      required: ['colour'],
      properties: { petals: { type: 'integer' }, origin: { properties: { country: { enum: ['PT', 'ES'] } } } },
    })
    const { body } = await makeItem({ petals: 'many', origin: { country: 'XX' } }, type.id)
    expect(body.errors.map(({ field, code }: { field: string; code: string }) => [field, code]).sort()).toEqual([
      ['attributes.colour', 'required'],
      ['attributes.origin.country', 'enum'],
      ['attributes.petals', 'type'],
    ])
    for (const { detail } of body.errors) expect(detail).toMatch(/\.$/)
  })
})

describe('a type in use', () => {
  test('a schema cannot change while an item uses it, and can again when the item is deleted', async () => {
    const type = await makeType()
    const change = () =>
      api.patch(`/v1/item-types/${type.id}`, { schema: { type: 'object', properties: { leaves: {} } } })
    const item = (await makeItem({ petals: 5 }, type.id)).body
    expect((await api.get(`/v1/item-types/${type.id}`)).body.in_use).toBe(true)
    expect(code(await change())).toEqual([409, 'item_type_in_use'])
    expect(code(await api.delete(`/v1/item-types/${type.id}`))).toEqual([409, 'item_type_in_use'])
    // The same schema is no change.
    expect((await api.patch(`/v1/item-types/${type.id}`, { schema: flower, name: newId() })).status).toBe(200)
    expect((await api.delete(`/v1/items/${item.id}`)).status).toBe(204)
    expect((await change()).body.schema).toEqual({ type: 'object', properties: { leaves: {} } })
  })

  test('an item and a schema change at once: one succeeds, so no item violates its schema', async () => {
    for (let round = 0; round < 8; round++) {
      const [type, collection] = [
        await makeType({ properties: { petals: { type: 'integer' } } }),
        await makeCollection(api),
      ]
      const [item, changed] = await Promise.all([
        makeItem({ petals: 5 }, type.id, collection),
        api.patch(`/v1/item-types/${type.id}`, { schema: { properties: { petals: { type: 'string' } } } }),
      ])
      expect([item.status, changed.status].sort()).toEqual(item.status === 201 ? [201, 409] : [200, 422])
    }
  })
})

describe('expensive schemas', () => {
  const outcomeOf = async (work: () => Promise<ApiResponse>) => {
    const answer = await work()
    return [...code(answer), answer.body.errors?.[0]?.code]
  }

  test('a schema that is too deep or too large is refused', async () => {
    let deep: object = { type: 'string' }
    for (let level = 0; level < 40; level++) deep = { properties: { a: deep } }
    expect(await outcomeOf(() => api.post('/v1/item-types', { name: newId(), schema: deep }))).toEqual([
      422,
      'schema_invalid',
      'too_deep',
    ])
    expect(
      await outcomeOf(() => api.post('/v1/item-types', { name: newId(), schema: { enum: ['x'.repeat(70_000)] } })),
    ).toEqual([422, 'schema_invalid', 'too_large'])
  })

  test('exponential references are refused when the type is made or when attributes are validated', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `d${at}`,
        { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    )
    const schema = { $defs: { ...$defs, d30: { type: 'null' } }, properties: { a: { $ref: '#/$defs/d0' } } }
    const made = await api.post('/v1/item-types', { name: newId(), schema })
    if (made.status === 422) return expect(made.body.code).toBe('schema_invalid')
    expect(await outcomeOf(() => makeItem({ a: 'x' }, made.body.id))).toEqual([
      422,
      'schema_too_slow',
      'schema_too_slow',
    ])
  })

  test('a pattern of names is matched in linear time, or with a limit where only JavaScript reads it', async () => {
    const type = await makeType({ patternProperties: { '^(a|a?)+$': { type: 'string' } } })
    expect((await makeItem({ [`${'a'.repeat(50)}!`]: 'x' }, type.id)).status).toBe(201)
    const ahead = await makeType({ patternProperties: { '^(?=(a|a?)+$)': { type: 'string' } } })
    expect(await outcomeOf(() => makeItem({ [`${'a'.repeat(50)}!`]: 'x' }, ahead.id))).toEqual([
      422,
      'schema_too_slow',
      'schema_too_slow',
    ])
    expect((await makeItem({ b: 'x' }, type.id)).status).toBe(201)
  })

  test('a recursive schema validates finite attributes', async () => {
    const type = await makeType({
      $defs: { branch: { properties: { branches: { type: 'array', items: { $ref: '#/$defs/branch' } } } } },
      properties: { root: { $ref: '#/$defs/branch' } },
    })
    expect((await makeItem({ root: { branches: [{ branches: [] }] } }, type.id)).status).toBe(201)
    expect(code(await makeItem({ root: { branches: [{ branches: 'x' }] } }, type.id))).toEqual([
      422,
      'attributes_invalid',
    ])
    const circle = await makeType({
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
      properties: { a: { $ref: '#/$defs/a' } },
    })
    if (circle.id) expect([422, 201]).toContain((await makeItem({ a: 1 }, circle.id)).status)
  })

  test('no attribute is named __proto__ or constructor, whatever the schema says', async () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')
    expect((await api.post('/v1/item-types', { name: newId(), schema })).status).toBe(400)
    const type = await makeType({ properties: { constructor: { type: 'integer' } } })
    const refused = await makeItem({ constructor: 1 }, type.id)
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'attributes.constructor'])
  })
})
