import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import releases from '../../prisma/releases.json' with { type: 'json' }
import { breakingChanges } from '../support/breaking-changes.ts'
import { documentOf, INTERFACES, type Json } from '../support/openapi-documents.ts'

const RELEASES = path.resolve(import.meta.dirname, '../fixtures/releases')
const released = (release: string, which: string): Json =>
  JSON.parse(gunzipSync(fs.readFileSync(path.join(RELEASES, release, `openapi-${which}.json.gz`))).toString('utf8'))

/** 0 units were always refused. The documents of 0.1.0 didn’t say so. */
const atLeastOne = (...fields: string[]) =>
  fields.flatMap((field) => [`${field} has another pattern`, `${field} is string, was integer`])

/** Changes since 0.1.0 that were made on purpose before 1.0.0. CHANGELOG.md names them. */
const SINCE_0_1_0 = {
  public: [
    // Whoever finds a voucher purchase by its address gets no secret.
    'POST /v1/purchase-intents: answer.secret is null, was string',
    ...atLeastOne('POST /v1/purchase-intents: body.quantity'),
    // There is no network 0.
    'POST /v1/relay/{network_id}: path network_id has another minimum',
  ],
  admin: [
    // A link whose server key was removed is void.
    'POST /v1/email-claims: answer.claim_url is null, was string',
    'GET /v1/email-claims: answer.results[].claim_url is null, was string',
    'GET /v1/email-claims/{email_claim_id}: answer.claim_url is null, was string',
    'POST /v1/email-claims/{email_claim_id}/resend: answer.claim_url is null, was string',
    // The document of 0.1.0 said that any value is a file. Only this was ever accepted.
    'POST /v1/media: body.file is object, was undefined',
    'POST /v1/email-claims/import: body.file is object, was undefined',
    'POST /v1/items/import: body.file is object, was undefined',
    ...atLeastOne(
      'PATCH /v1/listings/{listing_id}: body.max_quantity_per_tx',
      'PATCH /v1/listings/{listing_id}: body.policy.max_per_user',
      'POST /v1/email-claims: body.quantity',
      'POST /v1/items/lock: body.max_supply',
      'POST /v1/listings: body.max_quantity_per_tx',
      'POST /v1/listings: body.quantity_listed',
      'POST /v1/mint-requests: body.quantity',
    ),
    // Objects and lists that hold such a quantity; null is the form that fits best then.
    'POST /v1/collections: body.deployment_request.platform is null, was object',
    'POST /v1/collections/{collection_id}/deployment-request: body.platform is null, was object',
    'POST /v1/listings: body.policy is null, was object',
    'POST /v1/mint-requests: body.quantities is null, was array',
  ],
}

/** From 1.0.0 on nothing is added here within a major version (docs/upgrades.md). */
const MADE: Record<string, typeof SINCE_0_1_0> = { '0.1.0': SINCE_0_1_0 }

test.each(releases.flatMap(({ version }) => INTERFACES.map((which) => ({ version, which }))))(
  'the $which API keeps what $version promised',
  ({ version, which }) => {
    const changes = breakingChanges(released(version, which), documentOf(which).document)
    expect(changes.sort()).toEqual((MADE[version]?.[which] ?? []).toSorted())
  },
)

const ITEM = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false }
const operation = ({ body = ITEM, answer = ITEM, query = {} }: Json) => ({
  parameters: Object.entries<Json>(query).map(([name, one]) => ({
    name,
    in: 'query',
    required: false,
    schema: {},
    ...one,
  })),
  requestBody: { required: true, content: { 'application/json': { schema: body } } },
  responses: { 201: { content: { 'application/json': { schema: answer } } }, 404: {} },
})
const document = (given: Json) => ({ paths: { '/things': { post: operation(given) } }, components: { schemas: {} } })
const object = (properties: Json, required: string[] = []) => ({ ...ITEM, properties, required })
const open = (properties: Json, required: string[] = []) => ({ type: 'object', properties, required })
const text = { type: 'string' }

test.each([
  ['a new optional parameter', {}, { query: { q: {} } }, []],
  ['a new optional field', {}, { body: object({ name: text, more: text }) }, []],
  ['a field that may be null', {}, { body: object({ name: { anyOf: [text, { type: 'null' }] } }) }, []],
  ['a new value of an enum in an answer', { answer: { enum: ['A'] } }, { answer: { enum: ['A', 'B'] } }, []],
  ['a new field of an answer', { answer: open({}) }, { answer: open({ name: text }) }, []],
  ['a parameter that is gone', { query: { q: {} } }, {}, ['query q is gone']],
  ['a new required parameter', {}, { query: { q: { required: true } } }, ['query q is required now']],
  ['a new required field', {}, { body: object({ name: text }, ['name']) }, ['body.name is required now']],
  ['a field of a body that is gone', {}, { body: object({}) }, ['body.name is gone']],
  [
    'a field of an answer that is gone',
    { answer: open({ name: text }) },
    { answer: open({}) },
    ['answer.name is gone'],
  ],
  [
    'a field of an answer that may be missing',
    { answer: open({ name: text }, ['name']) },
    { answer: open({ name: text }) },
    ['answer.name is no longer always there'],
  ],
  [
    'a field of an answer that may be null',
    { answer: open({ name: text }) },
    { answer: open({ name: { type: ['string', 'null'] } }) },
    ['answer.name is null, was string'],
  ],
  ['another type', {}, { body: object({ name: { type: 'integer' } }) }, ['body.name is integer, was string']],
  [
    'a value of an enum that is no longer taken',
    { body: object({ kind: { ...text, enum: ['A', 'B'] } }) },
    { body: object({ kind: { ...text, enum: ['A'] } }) },
    ['body.kind no longer takes B'],
  ],
  [
    'a shorter text',
    { body: object({ name: { ...text, maxLength: 10 } }) },
    { body: object({ name: { ...text, maxLength: 5 } }) },
    ['body.name has another maxLength'],
  ],
])('%s is judged', (_, before, after, changes) => {
  expect(breakingChanges(document(before), document(after))).toEqual(changes.map((one) => `POST /things: ${one}`))
})

test('an event is judged as an answer is', () => {
  const posted = (schema: Json) => ({ requestBody: { content: { 'application/json': { schema } } } })
  const of = (schema: Json) => ({ ...document({}), webhooks: { 'thing.made': { post: posted(schema) } } })
  expect(breakingChanges(of(open({ name: text })), of(open({ name: text, more: text })))).toEqual([])
  expect(breakingChanges(of(open({ name: text })), of(open({})))).toEqual(['thing.made: event.name is gone'])
  expect(breakingChanges(of(open({})), document({}))).toEqual(['thing.made: the event is gone'])
})

test('an operation and an answer that are gone are named', () => {
  const before = document({})
  expect(breakingChanges(before, { paths: {} })).toEqual(['POST /things: the operation is gone'])
  const { 201: answer, ...others } = before.paths['/things'].post.responses
  const after = {
    ...before,
    paths: { '/things': { post: { ...before.paths['/things'].post, responses: { ...others, 200: answer } } } },
  }
  expect(breakingChanges(before, after)).toEqual(['POST /things: the answer 201 is gone'])
})
