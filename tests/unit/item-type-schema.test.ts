import { describe, expect, test } from 'vitest'
import { readItem } from '../../app/dashboard/items/read-traits.ts'
import { allows, allowsOthers, fieldsOf, readAs, writtenAs } from '../../components/dashboard/item-types/schema.ts'
import { type Trait, traitOf } from '../../components/dashboard/items/traits.ts'
import { emptyRow, readSchema, rowsOf, withRows } from '../../components/dashboard/item-types/schema-builder.ts'
import { formBody } from '../../lib/platform/http/form-body.ts'

const flower = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { year: { type: 'integer', minimum: 1800 } },
  type: 'object',
  required: ['title', 'petals', 'colour'],
  properties: {
    title: { type: 'string' },
    petals: { type: 'integer', title: 'Number of petals', minimum: 3, maximum: 40 },
    weight: { type: 'number', description: 'In grams.' },
    colour: { enum: ['white', 'violet'] },
    grade: { enum: [1, 2, null] },
    rare: { type: 'boolean' },
    found: { type: 'string', format: 'date' },
    page: { type: 'string', format: 'uri' },
    scent: { type: 'string', maxLength: 40 },
    story: { type: 'string', maxLength: 4000 },
    tags: { type: 'array', items: { type: 'string' } },
    origin: { type: 'object', properties: { country: { type: 'string' } } },
    planted: { $ref: '#/$defs/year', title: 'Planted in' },
    maybe: { type: ['string', 'null'] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
}

describe('form fields of a schema', () => {
  test('each attribute gets the control for its kind', () => {
    const kinds = Object.fromEntries(fieldsOf(flower).map(({ name, kind }) => [name, kind]))
    expect(kinds).toEqual({
      petals: 'integer',
      weight: 'number',
      colour: 'choice',
      grade: 'choice',
      rare: 'boolean',
      found: 'date',
      page: 'url',
      scent: 'text',
      story: 'long',
      tags: 'texts',
      origin: 'json',
      planted: 'integer',
      maybe: 'text',
      either: 'json',
    })
    expect(fieldsOf(flower)[0]).toMatchObject({ label: 'Number of petals', required: true, min: 3, max: 40 })
    expect(fieldsOf(flower).find(({ name }) => name === 'planted')).toMatchObject({ label: 'Planted in', min: 1800 })
  })

  test('a dangling or circular $ref becomes a JSON field', () => {
    expect(
      fieldsOf({ properties: { a: { $ref: '#/$defs/none' }, b: { $ref: '#/properties/b' }, c: true, d: false } }).map(
        ({ name, kind }) => [name, kind],
      ),
    ).toEqual([
      ['a', 'json'],
      ['b', 'json'],
      ['c', 'json'],
    ])
  })

  test('attributes that the schema doesn’t forbid can be added', () => {
    expect([
      allowsOthers({}),
      allowsOthers({ additionalProperties: { type: 'string' } }),
      allowsOthers({ additionalProperties: false }),
      allowsOthers({ unevaluatedProperties: false }),
    ]).toEqual([true, true, false, false])
    const closed = { properties: { title: {} }, additionalProperties: false }
    expect([allows(closed, 'title'), allows(closed, 'image_url'), allows({}, 'image_url')]).toEqual([true, false, true])
  })

  test.each([
    ['integer', 7],
    ['number', -1.5],
    ['boolean', false],
    ['choice', 'violet'],
    ['choice', 2],
    ['choice', null],
    ['texts', ['two words', 'one']],
    ['json', { a: [1, 'x'] }],
    ['json', 'text'],
    ['json', 3],
    ['text', '007'],
    ['date', '2026-11-20'],
  ])('%s: a shown value reads back as the same value: %o', (kind, value) => {
    expect(readAs(kind, writtenAs(kind as 'text', value))).toEqual(value === null ? '' : value)
  })

  test('input that can’t be parsed stays text, so that the schema refuses it', () => {
    expect([
      readAs('integer', 'many'),
      readAs('json', '{a:'),
      readAs('boolean', 'perhaps'),
      readAs('number', '1,5'),
    ]).toEqual(['many', '{a:', 'perhaps', '1,5'])
  })

  test('a submitted form becomes attributes by their kinds, with emptied fields as null', () => {
    const { body, problems } = readItem(
      formBody(
        formOf({
          'attributes.title': 'Moonflower',
          'attributes.image_url:null': '',
          'kinds:json':
            '{"petals":"integer","tags":"texts","rare":"boolean","origin":"json","scent":"text","weight":"number"}',
          'attributes.petals:long': '5',
          'attributes.tags:long': 'night garden\r\nwhite\r\n',
          'attributes.rare:long': 'true',
          'attributes.origin:long': '{"country":"PT"}',
          'attributes.scent:long': '',
          'attributes.weight:long': '12',
          'traits.0.name': 'a.b',
          'traits.0.kind': 'number',
          'traits.0.value:long': '7',
        }),
      ),
      { title: 'Moonflower', scent: 'lemon', weight: 3, colour: 'white', image_url: 'https://a.example/b.png' },
    )
    expect(problems).toEqual({})
    expect(body).toEqual({
      attributes: {
        title: 'Moonflower',
        image_url: null,
        petals: 5,
        tags: ['night garden', 'white'],
        rare: true,
        origin: { country: 'PT' },
        scent: null,
        weight: 12,
        colour: null,
        'a.b': 7,
      },
    })
  })

  test('what wasn’t changed keeps its value, whatever its control shows of it', () => {
    const opened = {
      title: 'Moonflower',
      description: ' two\r\nlines ',
      year: '2019',
      price: '12.50',
      rare: 'true',
      poem: 'one\n\ntwo ',
      empty: '',
      text: '{"not": json',
      list: [1, { a: ' b' }],
      big: 1e21,
      ' blank ': 'kept',
      petals: '5',
      tags: ['a\nb', ' c '],
    }
    const rows = Object.entries(opened).filter(([name]) => !['title', 'description', 'petals', 'tags'].includes(name))
    const { body, problems } = readItem(
      formBody(
        formOf({
          'attributes.title': 'Moonflower',
          'attributes.description:long': ' two\r\nlines ',
          'kinds:json': '{"petals":"integer","tags":"texts"}',
          'attributes.petals:long': writtenAs('integer', opened.petals),
          'attributes.tags:long': writtenAs('texts', opened.tags).replaceAll('\n', '\r\n'),
          ...Object.assign({}, ...rows.map(([name, value], at) => rowFields(at, name, traitOf(name, value)))),
        }),
      ),
      opened,
    )
    expect(problems).toEqual({})
    expect(body).toEqual({ attributes: opened })
  })

  test('a row’s kind says what its text means, and what is wrong with a row stands at it', () => {
    const read = (rows: Partial<Trait>[], opened = {}) =>
      readItem(
        formBody(
          formOf(
            Object.assign(
              { 'attributes.title': 'x' },
              ...rows.map((row, at) => rowFields(at, null, { name: '', kind: 'text', value: '', ...row })),
            ),
          ),
        ),
        { title: 'x', ...opened },
      )
    expect(
      read([
        { name: 'year', value: '2019' },
        { name: 'count', kind: 'number', value: '12.50' },
        { name: 'rare', kind: 'boolean', value: 'false' },
        { name: 'list', kind: 'json', value: '["a"]' },
        { name: 'nothing', value: '' },
        {},
      ]).body.attributes,
    ).toEqual({ title: 'x', year: '2019', count: 12.5, rare: false, list: ['a'], nothing: '' })
    expect(
      read([
        { value: 'lost' },
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
        { name: 'title', value: 'y' },
        { name: 'b', kind: 'number', value: '1,5' },
        { name: 'c', kind: 'number', value: '0.12345678901234567891' },
        { name: 'd', kind: 'boolean', value: 'perhaps' },
        { name: 'e', kind: 'json', value: '{a:' },
      ]).problems,
    ).toEqual({
      'traits.0.name': 'nameless',
      'traits.2.name': 'twice',
      'traits.3.name': 'own',
      'traits.4.value': 'number',
      'traits.5.value': 'inexact',
      'traits.6.value': 'boolean',
      'traits.7.value': 'json',
    })
    expect([...read([{ name: 'a', value: '1' }]).controls]).toEqual([['attributes.a', 'traits.0.value']])
  })
})

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const rowFields = (at: number, was: string | null, { name, kind, value }: Trait) => ({
  ...(was !== null && { [`traits.${at}.was:long`]: was }),
  [`traits.${at}.name`]: name,
  [`traits.${at}.kind`]: kind,
  [`traits.${at}.value:long`]: value.replaceAll('\n', '\r\n'),
})

describe('schema builder', () => {
  test('reading a schema into rows and writing it back changes nothing', () => {
    expect(withRows(flower, rowsOf(flower), true)).toEqual(flower)
    const closed = {
      ...flower,
      additionalProperties: false,
      properties: { ...flower.properties, description: {}, image_url: {} },
    }
    expect(withRows(closed, rowsOf(closed), false)).toEqual(closed)
    const half = { ...flower, additionalProperties: { type: 'string' }, patternProperties: { '^x': {} } }
    expect(withRows(half, rowsOf(half), true)).toEqual(half)
  })

  test('properties that it can’t show are kept verbatim', () => {
    const raw = rowsOf(flower)
      .filter(({ kind }) => kind === 'json')
      .map(({ name, raw }) => [name, raw])
    expect(Object.fromEntries(raw)).toEqual({
      grade: flower.properties.grade,
      origin: flower.properties.origin,
      planted: flower.properties.planted,
      maybe: flower.properties.maybe,
      either: flower.properties.either,
    })
  })

  test('rows become a schema; a closed one allows title, description and image_url', () => {
    const rows = [
      { ...emptyRow(0), name: ' petals ', kind: 'integer' as const, min: '3', max: 'x', required: true },
      { ...emptyRow(1), name: 'colour', label: 'Colour', kind: 'choice' as const, choices: 'white\n\nviolet\nwhite' },
      { ...emptyRow(2), name: '' },
    ]
    expect(withRows({ type: 'object' }, rows, true)).toEqual({
      type: 'object',
      required: ['petals'],
      properties: { petals: { type: 'integer', minimum: 3 }, colour: { title: 'Colour', enum: ['white', 'violet'] } },
    })
    expect(withRows({}, [], false)).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { title: { type: 'string' }, description: { type: 'string' }, image_url: { type: 'string' } },
    })
    expect(withRows({ additionalProperties: false, unevaluatedProperties: false }, [], true)).toEqual({
      type: 'object',
      properties: {},
    })
  })

  test('only a JSON object is read as a schema', () => {
    expect([readSchema('{"type":"object"}'), readSchema('[]'), readSchema('null'), readSchema('{')]).toEqual([
      { type: 'object' },
      null,
      null,
      null,
    ])
  })
})
