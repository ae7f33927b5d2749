import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseFields } from '../../lib/core/parse-fields.ts'
import { attributes } from '../../lib/platform/api/attributes.ts'
import { parseExactJson } from '../../lib/platform/http/exact-json.ts'
import { digits, timestamp } from '../../lib/core/wire.ts'

const refusalOf = (text: string) => {
  try {
    parseExactJson(text)
    return null
  } catch (error) {
    return (error as { fields: object[] }).fields
  }
}

test('a body that can be kept is parsed as it is', () => {
  const body = '{"a":[1,{"b":"\\ud83c\\udf19 \\u00e9"}],"constructor":{"prototype":null},"":0}'
  expect(parseExactJson(body)).toEqual(JSON.parse(body))
  for (const plain of ['null', '7', '"x"', '[]']) expect(parseExactJson(plain)).toEqual(JSON.parse(plain))
})

test.each([
  ['{"a":[{"b":"\\u0000"}]}', 'a.0.b', 'invalid_format'],
  ['{"a":{"b":"x\\ud800"}}', 'a.b', 'invalid_format'],
  ['{"a":{"\\udc00b":1}}', 'a.\ufffdb', 'invalid_format'],
  ['{"a":{"__proto__":{"b":1}}}', 'a.__proto__', 'unknown_field'],
  ['{"__proto__":null}', '__proto__', 'unknown_field'],
  ['"\\ud800"', '', 'invalid_format'],
])('%s is refused by name', (body, field, code) => {
  expect(refusalOf(body)).toMatchObject([{ field, code }])
})

test.each([
  ['{"a":1,"a":1}', ['a']],
  ['{"a":1,"\\u0061":2,"a":3}', ['a']],
  ['[{"b":[0,{"c":"\\\\","d":{},"c" \n: null}]}]', ['0.b.1.c']],
  ['{"a":{"x":"\\":","x":1},"b":{"x":1},"a":2}', ['a.x', 'a']],
])('%s is refused, since one of its fields is given again', (body, fields) => {
  expect(refusalOf(body)).toEqual(
    fields.map((field) => ({ field, code: 'repeated', detail: 'This field is given more than once.' })),
  )
})

test.each(['9007199254740993', '0.1000000000000000055511151231257827', '1e400', '-1.23456789012345678', '1e-400'])(
  'the number %s is refused, since it would be read as another one',
  (number) => {
    expect(refusalOf(`{"a":[0,{"b":${number},"c":"${number}"}]}`)).toEqual([
      {
        field: 'a.1.b',
        code: 'inexact',
        detail: 'This number would be read as another one. Round it, or send it as text.',
      },
    ])
    expect(refusalOf(number)).toMatchObject([{ field: '', code: 'inexact' }])
  },
)

test.each([
  '0.30000000000000004',
  '1.10',
  '1.1',
  '-0',
  '0.000',
  '1E2',
  '100e-2',
  '9007199254740992',
  '1e21',
  '5e-324',
  '0e999',
])('the number %s is read as it is', (number) =>
  expect(parseExactJson(`{"a":${number}}`)).toEqual(JSON.parse(`{"a":${number}}`)),
)

test('what looks like a name in a text, and one name in several objects, is no repetition', () => {
  const body = '{"a":"\\"b\\":1,\\"b\\":{[,","b":[{"a":"a:"},{"a":"\\\\"}],"":{"":""},"constructor":1}'
  expect(parseExactJson(body)).toEqual(JSON.parse(body))
})

test('deep nesting is refused before anything walks through it', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  expect(refusalOf(nested(99))).toBeNull()
  expect(refusalOf(nested(400_000))).toMatchObject([{ field: 'a', code: 'too_deep' }])
})

test('at most 100 faults of a body are named', () => {
  expect(refusalOf(JSON.stringify(Array.from({ length: 5_000 }, () => '\0')))).toHaveLength(100)
})

test('attributes refuse by name what would be stored as something else', () => {
  const faultsOf = (given: object) =>
    attributes.safeParse({ title: 'Moonflower', ...given }).error?.issues.map(({ path }) => path.join('.'))
  expect(faultsOf({ a: 9007199254740991, b: 0.1, c: -1e-9, d: { e: ['x'] } })).toBeUndefined()
  expect(faultsOf({ a: 9007199254740993, b: { c: [1, -1e21] } })).toEqual(['a', 'b.c.1'])
  expect(faultsOf({ constructor: 1 })).toEqual(['constructor'])
  expect(faultsOf({ a: ['\0'] })).toEqual(['a.0'])
})

test('a number of a query has decimal digits only', () => {
  const limit = digits(1, 1000)
  expect(['1', '100', '007'].map((text) => limit.parse(text))).toEqual([1, 100, 7])
  for (const text of ['0x10', '1e2', ' 5', '5 ', '+5', '1.0', '1.5', '', 'Infinity', '٣', '0', '1001', '9'.repeat(400)])
    expect([text, limit.safeParse(text).success]).toEqual([text, false])
})

test('a number of a query that is too small or too large is told its bounds', () => {
  const faultOf = (limit: string) => parseFields(z.object({ limit: digits(1, 100) }), { limit }).fields?.[0]?.detail
  expect(['0', '101', '1.5'].map(faultOf)).toEqual([
    'This must be at least 1.',
    'This must be at most 100.',
    'A whole number is needed, in decimal digits.',
  ])
})

test('a time has a year of four digits, in UTC too', () => {
  for (const text of ['1000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-11-23T00:00:00+05:30'])
    expect(timestamp.parse(text)).toEqual(new Date(text))
  for (const text of ['0000-01-01T00:00:00Z', '0999-12-31T23:59:59Z', '9999-12-31T23:00:00-02:00'])
    expect([text, timestamp.safeParse(text).success]).toEqual([text, false])
})

test('a moment may have any number of digits, and those beyond milliseconds are cut', () => {
  for (const [text, kept] of [
    ['2027-01-31T18:00:00.123999999Z', '2027-01-31T18:00:00.123Z'],
    ['2027-01-31T18:00:00.9999+02:00', '2027-01-31T16:00:00.999Z'],
    ['2027-12-31T23:59:59.99999999999999999999Z', '2027-12-31T23:59:59.999Z'],
    ['2027-01-31T18:00:00.5Z', '2027-01-31T18:00:00.500Z'],
  ])
    expect(timestamp.encode(timestamp.decode(text!))).toBe(kept)
})

test('names of attributes are stored in one form, and two that become one are refused', () => {
  const read = (given: object) => attributes.safeParse({ title: 'Moonflower', ...given })
  expect(read({ ' Cafe\u0301 ': 1, größe: 'L' }).data).toEqual({ title: 'Moonflower', 'Caf\u00e9': 1, größe: 'L' })
  const faultsOf = (given: object) =>
    read(given).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  expect(faultsOf({ Café: 1, 'Cafe\u0301': 2 })).toEqual(['Cafe\u0301 “Café” is given twice.'])
  expect(faultsOf({ size: 1, 'size ': 2 })).toEqual(['size  “size” is given twice.'])
  expect(faultsOf({ 'title ': 'Heron' })).toEqual(['title  “title” is given twice.'])
  expect(faultsOf({ ' image_url': 'javascript:alert(1)' })).toEqual([' image_url “image_url” is given twice.'])
})
