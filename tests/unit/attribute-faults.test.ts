import { expect, test } from 'vitest'
import type { Schema } from '../../lib/catalog/item-types/compile-schema.ts'
import { assertAttributesValid, assertSchemaValid } from '../../lib/catalog/item-types/validate-attributes.ts'
import type { AppError } from '../../lib/core/errors.ts'

const ctx = { organizationId: 'somebody', actor: { type: 'system' } } as const
const errorsOf = async (work: () => Promise<void>) => {
  try {
    await work()
  } catch (error) {
    return (error as AppError).fields.map(({ field, detail }) => `${field}: ${detail}`)
  }
  return []
}
const faultsOf = (schema: Schema, attributes: Record<string, unknown>) =>
  errorsOf(() =>
    assertAttributesValid(ctx, [
      { typeSchema: { id: JSON.stringify(schema), version: 1, schema }, attributes, field: 'attributes' },
    ]),
  )

test.each<[string, Schema, unknown, string]>([
  ['another type', { type: 'integer' }, 'many', 'Expected a whole number, got text.'],
  ['none of several types', { type: ['string', 'null'] }, 4, 'Expected text or null, got a number.'],
  ['a value that isn’t offered', { enum: ['white', 7] }, 'red', 'Expected white or 7.'],
  ['another constant', { const: 'white' }, 'red', 'Expected white.'],
  ['too small', { minimum: 3 }, 2, 'This must be at least 3.'],
  ['too large', { exclusiveMaximum: 3 }, 3, 'This must be less than 3.'],
  ['no multiple', { multipleOf: 5 }, 7, 'This must be a multiple of 5.'],
  ['too short', { minLength: 2 }, 'a', 'This must have at least 2 characters.'],
  ['too long', { maxLength: 1 }, 'abc', 'This must have at most 1 character.'],
  ['another pattern', { pattern: '^[A-Z]+$' }, 'abc', 'Expected text that matches ^[A-Z]+$ (a regular expression).'],
  ['too many entries', { maxItems: 1 }, [1, 2], 'This must have at most 1 entry.'],
  ['an entry twice', { uniqueItems: true }, [1, 2, 1], 'The entries 1 and 3 are the same: each may be there once.'],
  [
    'none of the forms',
    { oneOf: [{ type: 'string' }, { type: 'string' }] },
    'a',
    'This has several of the forms of which the item type allows one.',
  ],
  ['what is excluded', { not: { type: 'string' } }, 'a', 'The item type excludes this value.'],
])('an attribute that is %s is named with what is expected', async (_, schema, value, detail) => {
  expect(await faultsOf({ properties: { part: schema } }, { part: value })).toEqual([`attributes.part: ${detail}`])
})

test('attributes that are missing, unknown or asked for by others are named', async () => {
  const schema = { required: ['title'], properties: { title: {} }, unevaluatedProperties: false }
  expect(await faultsOf(schema, { titel: 'Moon' })).toEqual([
    'attributes.title: This attribute is required.',
    'attributes.titel: The item type has no such attribute.',
  ])
  expect(await faultsOf({ dependentRequired: { width: ['height'] } }, { width: 1 })).toEqual([
    'attributes: Where width is given, height is required.',
  ])
})

test('a schema that can’t be used says why', async () => {
  expect(await errorsOf(() => assertSchemaValid(ctx, { properties: { a: { $ref: '#/$defs/none' } } }))).toEqual([
    'schema: The reference #/$defs/none points at nothing in this schema.',
  ])
  expect(await errorsOf(() => assertSchemaValid(ctx, { properties: { a: { pattern: '(' } } }))).toEqual([
    expect.stringMatching(/^schema: A pattern is no regular expression: \/\(\/u: .+\.$/),
  ])
})
