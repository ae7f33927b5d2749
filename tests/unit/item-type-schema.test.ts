import { describe, expect, test } from 'vitest'
import { withTraits } from '../../app/dashboard/items/read-traits.ts'
import { allows, allowsOthers, fieldsOf, readAs, writtenAs } from '../../components/dashboard/item-types/schema.ts'
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
    const form = new FormData()
    const given = {
      'attributes.title': 'Moonflower',
      'attributes.image_url:null': '',
      'kinds:json':
        '{"petals":"integer","tags":"texts","rare":"boolean","origin":"json","scent":"text","weight":"number"}',
      'known:json': '["scent","weight","colour"]',
      'attributes.petals': '5',
      'attributes.tags': 'night garden\r\nwhite',
      'attributes.rare': 'true',
      'attributes.origin': '{"country":"PT"}',
      'attributes.scent': '',
      'attributes.weight': '12',
      'traits.0.name': 'a.b',
      'traits.0.value': '7',
      'traits.1.name': '',
      'traits.1.value': 'lost',
    }
    for (const [name, value] of Object.entries(given)) form.set(name, value)
    expect(withTraits(formBody(form))).toEqual({
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
