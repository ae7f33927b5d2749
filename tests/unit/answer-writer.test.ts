import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../lib/platform/api/index.ts'
import { answerText } from '../../lib/platform/http/answer-writer.ts'

const TEXTS = [
  'Moonflower',
  '',
  '1',
  '0a9f0000-1111-4222-8333-444455556666',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  `0x${'ab'.repeat(32)}`,
  'Ada@Example.com',
  'ada@example.com',
  'https://example.com/a?b=c',
  '2026-11-20T12:00:00.000Z',
  'A'.repeat(43),
  'en',
]
const NUMBERS = [0, 1, 7, 250, 31_337]

type Schema = z.core.$ZodType
type Kind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'bigint'
  | 'date'
  | 'null'
  | 'undefined'
  | 'enum'
  | 'literal'
  | 'nullable'
  | 'optional'
  | 'readonly'
  | 'array'
  | 'object'
  | 'record'
  | 'union'
  | 'pipe'
  | 'lazy'
  | 'unknown'
  | 'any'
type Def = Extract<z.core.$ZodTypes['_zod']['def'], { type: Kind }>

/** Values as verbs give them: dates and bigints where the wire has text. */
function valuesOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const def = schema._zod.def as Def
  const fitting = (values: readonly unknown[]) =>
    fc.constantFrom(...values.filter((value) => z.safeEncode(schema, value).success))
  switch (def.type) {
    case 'string':
      return fitting(TEXTS)
    case 'number':
      return fitting(NUMBERS)
    case 'boolean':
      return fc.boolean()
    case 'bigint':
      return fc.bigInt({ min: 1n, max: 10n ** 15n })
    case 'date':
      return fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    case 'null':
      return fc.constant(null)
    case 'undefined':
      return fc.constant(undefined)
    case 'enum':
    case 'literal':
      return fc.constantFrom(...schema._zod.values!)
    case 'nullable':
      return fc.option(valuesOf(def.innerType, depth), { nil: null })
    case 'optional':
      return fc.option(valuesOf(def.innerType, depth), { nil: undefined })
    case 'readonly':
      return valuesOf(def.innerType, depth)
    case 'array':
      return fc.array(valuesOf(def.element, depth), { maxLength: 2 })
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, valuesOf(field, depth)])),
      )
    case 'record':
      return fc.dictionary(valuesOf(def.keyType) as fc.Arbitrary<string>, valuesOf(def.valueType, depth), {
        maxKeys: 3,
      })
    case 'union':
      return fc.oneof(...def.options.map((option) => valuesOf(option, depth)))
    case 'pipe':
      return ['bigint', 'date'].includes(def.out._zod.def.type) ? valuesOf(def.out) : fitting([...TEXTS, ...NUMBERS])
    case 'lazy':
      return depth > 1 ? fc.constant(null) : valuesOf(def.getter(), depth + 1)
    case 'unknown':
    case 'any':
      return fc.jsonValue({ maxDepth: 2 })
    default:
      throw new Error(`No values are made for ${(def as { type: string }).type}.`)
  }
}

const inJson = endpoints.filter(
  ({ status, contentType = 'application/json' }) => status !== 204 && contentType === 'application/json',
)

test.each(inJson.map((endpoint) => [endpoint.id, endpoint.response] as const))(
  'an answer of %s is written as zod writes it',
  (_, response) => {
    fc.assert(
      fc.property(valuesOf(response), (value) => {
        const expected = z.safeEncode(response, value)
        fc.pre(expected.success) // some objects have rules of their own
        expect(answerText(response, value)).toBe(JSON.stringify(expected.data))
      }),
      { numRuns: 20 },
    )
  },
)

test('fields that a schema does not name are left out, at every depth', () => {
  const schema = z.object({ rows: z.array(z.object({ id: z.string() })) })
  const value = { rows: [{ id: 'a', secret: 'b' }], secret: 'c' }
  expect(answerText(schema, value)).toBe('{"rows":[{"id":"a"}]}')
})

test('fields come in the order of their schema, and absent ones are left out', () => {
  const schema = z.object({
    id: z.string(),
    name: z.string().optional(),
    size: z.number(),
    note: z.string().optional(),
  })
  const others = [
    { size: 1, id: 'a' },
    { id: 'a', size: 1, name: undefined },
    { id: 'a', name: 'b', note: 'c', size: 1 },
    Object.assign(Object.create({ note: 'inherited' }) as object, { id: 'a', size: 1 }),
    Object.defineProperty({ id: 'a', size: 1 }, 'name', { value: 'hidden' }),
    { id: 'a', size: 1, toJSON: () => 'another' },
  ]
  for (const value of others) expect(answerText(schema, value)).toBe(JSON.stringify(z.encode(schema, value as never)))
  expect(answerText(z.object({}), { secret: 'a' })).toBe('{}')
})

test('a value of another kind is refused with the field, not written', () => {
  const schema = z.object({
    id: z.string(),
    at: z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: String }),
  })
  const refusal = (value: unknown) => {
    try {
      return answerText(schema, value)
    } catch (error) {
      return (error as z.core.$ZodError).issues.map(({ path }) => path.join('.'))
    }
  }
  expect(refusal({ id: 1, at: new Date() })).toEqual(['id'])
  expect(refusal({ id: 'a', at: new Date(Number.NaN) })).toEqual(['at'])
  expect(refusal({ at: new Date() })).toEqual(['id'])
  expect(refusal(null)).toEqual([''])
})

test.each([null, 'a text', [1]])('%j is refused where an object with one field is due', (value) => {
  const schema = z.object({ id: z.string(), holder: z.object({ length: z.number() }) })
  expect(() => answerText(schema, { id: 'a', holder: value })).toThrow(z.core.$ZodError)
})

test('a name that JavaScript gives a meaning is left out of a record, as zod does', () => {
  const schema = z.record(z.string(), z.unknown())
  const value = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as Record<string, unknown>
  expect(answerText(schema, value)).toBe(JSON.stringify(z.encode(schema, value)))
})
