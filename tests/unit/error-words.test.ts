import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { createCollection, updateCollection } from '../../lib/platform/api/collections.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { createListing, updateListing } from '../../lib/platform/api/listings.ts'
import { createPurchaseIntent } from '../../lib/platform/api/purchases.ts'
import { parseBody, pathAndQueryOf } from '../../lib/platform/http/parse-input.ts'
import { AppError, type FieldError } from '../../lib/core/errors.ts'
import { optionsOf } from '../../scripts/admin/options.ts'
import { bodyWith, fieldsOf, WRONG_VALUES } from '../support/wrong-values.ts'

const named = (list: readonly Endpoint[]) =>
  list.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

const VAGUE =
  /^invalid|invalid (input|option|string|key|format)|^too (small|big)|received|unrecognized|undefined|NaN|\[object|of the form|another value/i

function errorsOf(work: () => unknown): FieldError[] {
  try {
    work()
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.message).toMatch(/\.$/)
    return error.fields
  }
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60)

function expectPlain(errors: readonly FieldError[], what: string): void {
  for (const { field, detail } of errors) {
    expect(detail, what).not.toMatch(VAGUE)
    expect(detail, what).toMatch(/^[A-Z0-9].*\.$/)
    expect(field, what).not.toBe('')
  }
}

describe.each(named(endpoints.filter(({ body }) => body)))('%s', (_, endpoint) => {
  test('every wrong value of every field is refused with the field and a sentence that says what is expected', () => {
    for (const field of fieldsOf(endpoint.body!))
      for (const value of WRONG_VALUES) {
        const errors = errorsOf(() => parseBody(endpoint, bodyWith(endpoint.example, field, value)))
        const at = field.path.join('.')
        const what = `${endpoint.id} ${at} = ${shown(value)}`
        expectPlain(errors, what)
        const places = errors.map((error) => ({ ...error, first: error.field.split('.')[0] }))
        if (value !== undefined)
          expect(places, what).not.toContainEqual(expect.objectContaining({ code: 'required', field: at }))
        if (value != null && errors.length > 0)
          expect(places, what).toContainEqual(expect.objectContaining({ first: field.path[0] }))
      }
  })
})

describe.each(named(endpoints.filter(({ query }) => query)))('%s', (_, endpoint) => {
  test('every wrong value of every query parameter is refused with its name and a sentence', () => {
    for (const name of Object.keys(endpoint.query!.shape))
      for (const value of [
        'nonsense',
        '-1',
        '1.5',
        '0',
        '2026-11-20',
        '2026-11-20T12:00:00',
        'a\u0000b',
        'x'.repeat(2_000),
      ])
        for (const query of [
          [[name, value]],
          [
            [name, value],
            [name, 'second'],
          ],
        ] as [string, string][][]) {
          const given = new URLSearchParams(query)
          const errors = errorsOf(() => pathAndQueryOf({ ...endpoint, params: undefined }, {}, given))
          expectPlain(errors, `${endpoint.id} ?${given.toString().slice(0, 80)}`)
        }
  })
})

const bodyErrors = (endpoint: Endpoint, body: unknown) => errorsOf(() => parseBody(endpoint, body))
const detailsOf = (endpoint: Endpoint, changes: object) =>
  Object.fromEntries(
    bodyErrors(endpoint, { ...(endpoint.example as object), ...changes }).map(({ field, detail }) => [field, detail]),
  )

test('a wrong type says so, and a missing field that it is required', () => {
  expect(detailsOf(createListing, { max_quantity_per_tx: 'two', currency: 7, status: 7, policy: 'none' })).toEqual({
    max_quantity_per_tx: 'Expected a whole number, at least 1, got text.',
    currency: 'Expected text, got a number.',
    status: 'Expected DRAFT or ACTIVE, got a number.',
    policy: 'Expected an object, got text.',
  })
  const { example } = createListing
  expect(bodyErrors(createListing, { ...example, price: undefined, quantity_listed: undefined })).toEqual([
    { field: 'quantity_listed', code: 'required', detail: 'This field is required.' },
    { field: 'price', code: 'required', detail: 'This field is required.' },
  ])
})

test('prices speak of minor units, quantities of at least 1', () => {
  expect(detailsOf(createListing, { price: 12.5, quantity_listed: 0 })).toEqual({
    price: 'Expected a whole number of minor units (cents, wei), got 12.5.',
    quantity_listed: 'Expected a whole number, at least 1, got 0.',
  })
  expect(detailsOf(createPurchaseIntent, { quantity: '0' })).toEqual({
    quantity: 'Expected a whole number, at least 1, got 0.',
  })
})

test('a date without its zone says what is missing', () => {
  expect(detailsOf(createListing, { start_time: '2026-11-20T12:00:00', end_time: '2026-12-01' })).toEqual({
    start_time:
      'The time zone is missing: write 2026-11-20T12:00:00Z for UTC, or an offset such as 2026-11-20T12:00:00+01:00.',
    end_time: 'The time of day and its zone are missing: write 2026-12-01T00:00:00Z.',
  })
})

test('a mistyped field proposes the near one, also inside an object', () => {
  expect(detailsOf(createCollection, { descripton: 'x', media: { header_image: 'x' }, purple: 1 })).toEqual({
    descripton: 'There is no such field. The nearest is description.',
    'media.header_image': 'There is no such field. The nearest is header_image_url.',
    purple: 'There is no such field.',
  })
  expect(
    detailsOf(createListing, { policy: { payment_session_duration: { provider_override: { CARDS: 60 } } } }),
  ).toEqual({ 'policy.payment_session_duration.provider_override.CARDS': 'There is no such field.' })
})

test('a field of the record that can’t be changed or set says so', () => {
  expect(bodyErrors(updateListing, { price: 100, policy: { snapshot_id: null }, prise: 1 })).toEqual([
    { field: 'policy.snapshot_id', code: 'read_only', detail: 'This field can’t be changed.' },
    { field: 'price', code: 'read_only', detail: 'This field can’t be changed.' },
    { field: 'prise', code: 'unknown_field', detail: 'There is no such field.' },
  ])
  expect(detailsOf(updateCollection, { id: 'x', token_type: 'ERC721', deployment_request: {} })).toEqual({
    id: 'This field can’t be changed.',
    token_type: 'This field can’t be changed.',
    deployment_request: 'This field can’t be changed.',
  })
  expect(detailsOf(updateListing, { policy: { eth_addresses: [] } })).toEqual({
    'policy.eth_addresses': 'This field can’t be changed.',
  })
  expect(detailsOf(createCollection, { created_at: 'x' })).toEqual({ created_at: 'This field can’t be set here.' })
})

test('the number of wrong fields is said when there are several', () => {
  const wrong = (body: object) => () => parseBody(createCollection, body)
  expect(wrong({ name: 'Night', one: 1 })).toThrow(/^one: [^.]+\.$/)
  expect(wrong({ name: 'Night', one: 1, two: 2 })).toThrow(/^one: [^.]+\. In all, 2 fields are wrong\.$/)
})

test('a body that isn’t an object says what it is', () => {
  expect(() => parseBody(createCollection, [])).toThrow('The body: Expected an object, got a list.')
})

test('a command says which option is missing, and what is wrong with another', () => {
  const schema = z.object({ name: z.string(), days: z.coerce.number().int().min(1) })
  expect(() => optionsOf(['--days', '0'], schema)).toThrow('--name is missing.\n--days: This must be at least 1.')
})

test('of a body with any number of wrong fields the first hundred are named', () => {
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field_${at}`, at]))
  const errors = bodyErrors(createCollection, { name: 'Night', ...unknown })
  expect(errors).toHaveLength(100)
  expect(() => parseBody(createCollection, { name: 'Night', ...unknown })).toThrow('At least 100 fields are wrong.')
})
