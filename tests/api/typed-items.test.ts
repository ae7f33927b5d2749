import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { callerOf, code, fieldsOf, idsOf } from '../support/call.ts'
import { makeCollection } from '../support/collections.ts'
import { make } from '../support/items.ts'
import { makeOrganization } from '../support/organization.ts'

let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  api = callerOf((await makeOrganization()).key)
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
    const bad = await make(api, collection, { title: 'x', petals: 2, scent: 'sweet' }, { item_type_id: type.id })
    expect([...code(bad), ...fieldsOf(bad).sort()]).toEqual([
      422,
      'attributes_invalid',
      'attributes.petals',
      'attributes.scent',
    ])
    expect(fieldsOf(await make(api, collection, { title: 'x' }, { item_type_id: type.id }))).toEqual([
      'attributes.petals',
    ])
    const good = await make(api, collection, { title: 'x', petals: 3 }, { item_type_id: type.id })
    expect([good.status, good.body.item_type_id]).toEqual([201, type.id])
    const later = await api.patch(`/v1/items/${good.body.id}`, { attributes: { title: 'x', petals: 1 } })
    expect(code(later)).toEqual([422, 'attributes_invalid'])
  })

  test('items without a type get the collection’s default type', async () => {
    const type = await makeType()
    const collection = await makeCollection(api, { default_item_type_id: type.id })
    expect(code(await make(api, collection, { title: 'x' }))).toEqual([422, 'attributes_invalid'])
    expect((await make(api, collection, { title: 'x', petals: 5 })).body.item_type_id).toBe(type.id)
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
      code(await make(api, await makeCollection(api), { title: 'x', petals: 'many' }, { item_type_id: type.id })),
    ).toEqual([422, 'attributes_invalid'])
  })

  test('a pattern with repetitions in repetitions is matched in linear time', async () => {
    const type = await makeType({ properties: { scent: { pattern: '^(a+)+$' } } })
    const collection = await makeCollection(api)
    const makeOf = (scent: string) => make(api, collection, { title: 'x', scent }, { item_type_id: type.id })
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
    const refused = await make(api, collection, { title: 'x', scent: value }, { item_type_id: type.id })
    expect([...code(refused), refused.body.errors[0].field]).toEqual([422, 'schema_too_slow', 'attributes'])
    const next = await make(api, collection, { title: 'x' }, { item_type_id: type.id })
    expect(next.status).toBe(201)
  })
})
