import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../lib/platform/api/endpoint.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import { PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { newKey } from '../../lib/platform/auth/key-format.ts'
import { newId } from '../../lib/core/id.ts'
import { call, callerOf, type ApiResponse } from '../support/call.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'

let mine: TestOrganization
let theirs: Record<string, string>

beforeAll(async () => {
  mine = await makeOrganization()
  theirs = await makeRows(await makeOrganization())
})

const paramsOf = (endpoint: Endpoint) => [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
const fill = (endpoint: Endpoint, values: (name: string) => string) =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => values(name))
/** An existing id of another organization for each path parameter. Add new parameters in tests/support/rows.ts. */
const theirId = (name: string) => theirs[name] ?? expect.fail(`Add a ${name} to tests/support/rows.ts.`)
const named = (list: readonly Endpoint[]) =>
  list.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const ask = (endpoint: Endpoint, url: string, key?: string, headers?: Record<string, string>): Promise<ApiResponse> =>
  call(endpoint.method, url, {
    key,
    ...(headers && { headers }),
    ...(endpoint.method !== 'GET' && { body: endpoint.example ?? {} }),
  })

const secured = endpoints.filter((endpoint) => endpoint.auth === 'api_key')
const open = endpoints.filter((endpoint) => endpoint.auth !== 'api_key')

/** RFC 9457 with our additions. */
function expectProblem(answer: ApiResponse, status: number, code: string) {
  expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([status, code])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(answer.headers.get('request-id')).toBe(answer.body.request_id)
  expect(answer.body).toMatchObject({
    status,
    code,
    type: expect.stringContaining(`/docs/errors#${code}`),
    error: { code, detail: answer.body.detail },
  })
  expect(answer.body.detail).toMatch(/\.$/)
}

test('every /v1 endpoint but those of /v1/me needs a permission; every open endpoint is under /public/v1', () => {
  expect(endpoints.length).toBeGreaterThan(40)
  for (const endpoint of secured) {
    if (endpoint.path.startsWith('/v1/me/') || endpoint.path === '/v1/me') continue
    expect(PERMISSIONS, endpoint.path).toContain(endpoint.permission)
    expect(
      endpoint.permission!.endsWith(endpoint.method === 'GET' ? ':read' : ':write'),
      `${endpoint.method} ${endpoint.path}`,
    ).toBe(true)
  }
  for (const endpoint of open) expect(endpoint.path).toMatch(/^\/public\/v1\//)
  for (const endpoint of secured) expect(endpoint.path).toMatch(/^\/v1\//)
})

test.each(named(endpoints.filter((endpoint) => endpoint.body)))(
  '%s: the documented example is a valid body',
  (_, endpoint) => {
    expect(endpoint.example, 'give the endpoint an example').toBeDefined()
    expect(endpoint.body!.safeParse(endpoint.example).error).toBeUndefined()
  },
)

const keyOf = (endpoint: Endpoint) => (endpoint.auth === 'api_key' ? mine.key : undefined)
// A purchase's secret is judged before what else is sent.
const withBody = endpoints.filter((endpoint) => endpoint.auth !== 'purchase_secret' && endpoint.body)

test.each(named(withBody))('%s: an unknown field is refused by name', async (_, endpoint) => {
  const answer = await call(endpoint.method, fill(endpoint, theirId), {
    key: keyOf(endpoint),
    body: { ...(endpoint.example as object), no_such_field: 1 },
  })
  expectProblem(answer, 400, 'invalid_request')
  expect(answer.body.errors).toContainEqual({
    field: 'no_such_field',
    code: 'unknown_field',
    detail: 'There is no such field.',
  })
})

/** A query parameter that takes one value. */
const singleOf = ({ query }: Endpoint) =>
  Object.entries(query?.shape ?? {}).find(([, type]) => type.safeParse(['1', '2']).error)?.[0]
const withQuery = endpoints.filter((endpoint) => endpoint.auth !== 'purchase_secret' && singleOf(endpoint))

test.each(named(withQuery))('%s: a query parameter that is given twice is refused by name', async (_, endpoint) => {
  const name = singleOf(endpoint)!
  const answer = await ask(endpoint, `${fill(endpoint, theirId)}?${name}=1&${name}=2`, keyOf(endpoint))
  expectProblem(answer, 400, 'invalid_request')
  expect(answer.body.errors).toContainEqual(expect.objectContaining({ field: name, code: 'repeated' }))
})

const askWith = (endpoint: Endpoint, query: Record<string, string>) =>
  ask(endpoint, `${fill(endpoint, theirId)}?${new URLSearchParams(query).toString()}`, keyOf(endpoint))
/** What is wrong with the parameters of a query, by their names. */
async function refusedIn(endpoint: Endpoint, query: Record<string, string>): Promise<Record<string, string>> {
  const answer = await askWith(endpoint, query)
  if (answer.status !== 400 || answer.body.code !== 'invalid_request') return {}
  return Object.fromEntries(
    answer.body.errors.map((error: { field: string; detail: string }) => [error.field, error.detail]),
  )
}
const isWrite = ({ method }: Endpoint) => method !== 'GET'
const strict = endpoints.filter((endpoint) => isWrite(endpoint) || endpoint.auth === 'api_key')
const lenient = endpoints.filter((endpoint) => !strict.includes(endpoint))
const parametersOf = ({ query }: Endpoint) => Object.keys(query?.shape ?? {})
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

test.each(named(strict))(
  '%s: an unknown query parameter is refused, and the nearest one named',
  async (_, endpoint) => {
    for (const name of ['unheard_of', 'utm_source', '_', '', '__proto__'])
      expect((await refusedIn(endpoint, { [name]: '1' }))[name]).toMatch(/^There is no such parameter\. /)
    for (const name of parametersOf(endpoint))
      for (const sent of [`${name}[]`, `${name}x`, name.toUpperCase(), camelCase(name)].filter((one) => one !== name))
        expect(await refusedIn(endpoint, { [sent]: '1' })).toMatchObject({
          [sent]: name.length > 2 ? `There is no such parameter. The nearest is ${name}.` : expect.anything(),
        })
  },
)

test.each(named(lenient))(
  '%s: a foreign query parameter is ignored, another spelling understood, and one near it refused',
  async (_, endpoint) => {
    const foreign = { unheard_of: '1', utm_source: 'mail', _: '1', v: '2', t: '3' }
    const [withForeign, without] = [await askWith(endpoint, foreign), await askWith(endpoint, {})]
    expect([withForeign.status, withForeign.body.errors]).toEqual([without.status, without.body.errors])
    for (const name of parametersOf(endpoint)) {
      const twice = (spelling: string) => refusedIn(endpoint, { [name]: 'a', [spelling]: 'b' })
      for (const spelling of [
        `${name}[]`,
        `${name}[0]`,
        name.endsWith('s') ? name.replace(/(?<!s)s$/, '') : `${name}s`,
      ])
        if (spelling !== name) expect((await twice(spelling))[name]).toBe(differing(name, name, spelling))
      if (name.length >= 5)
        for (const sent of [`${name}x`, name.toUpperCase(), camelCase(name)].filter((one) => one !== name))
          expect(await refusedIn(endpoint, { [sent]: 'b' })).toMatchObject({
            [sent]: `There is no such parameter. The nearest is ${name}.`,
          })
    }
  },
)
const differing = (name: string, one: string, other: string) =>
  `It is given as ${one} and as ${other.replace(/\[\d\]/, '[]')}, with different values. Give one of them.`

test.each(named(endpoints.filter((endpoint) => !isWrite(endpoint))))(
  '%s: state and status are understood for each other',
  async (_, endpoint) => {
    const names = parametersOf(endpoint)
    const [name, other] = names.includes('state') ? ['state', 'status'] : ['status', 'state']
    if (names.includes(name!) === names.includes(other!)) return
    expect(Object.keys(await refusedIn(endpoint, { [other!]: 'nonsense' }))).toEqual([name])
    expect(await refusedIn(endpoint, { [name!]: 'ONE', [other!]: 'OTHER' })).toEqual({
      [name!]: differing(name!, name!, other!),
    })
  },
)

const withShortNames = endpoints.filter(({ shortNames }) => shortNames)

test.each(named(withShortNames))('%s: a short name is understood', async (_, endpoint) => {
  for (const [short, name] of Object.entries(endpoint.shortNames!))
    expect((await refusedIn(endpoint, { [name]: 'ONE', [short]: 'OTHER' }))[name]).toBe(differing(name, name, short))
})

/** What the parameters of public writes are: none of them says what is touched. */
const PROOFS = ['secret', 'nonce', 'signature', 'proof']

test.each(named(endpoints.filter((endpoint) => endpoint.query)))(
  '%s: an empty query parameter is refused where a write would touch more, and absent elsewhere',
  async (_, endpoint) => {
    const isRefused = isWrite(endpoint) && endpoint.auth === 'api_key'
    for (const name of parametersOf(endpoint)) {
      if (isWrite(endpoint) && !isRefused) expect(PROOFS).toContain(name)
      const detail = (await refusedIn(endpoint, { [name]: '' }))[name]
      if (isRefused) expect(detail).toMatch(/^An empty value would change more/)
      else expect([undefined, 'This field is required.', 'At least one network is needed.']).toContain(detail)
    }
  },
)

const posts = endpoints.filter(({ method }) => method === 'POST')

test.each(named(posts))('%s: an Idempotency-Key that is blank or too long is refused', async (_, endpoint) => {
  for (const key of ['', ' ', '\u00a0'.repeat(30), 'x'.repeat(256)]) {
    const headers = { 'idempotency-key': key }
    expectProblem(await ask(endpoint, fill(endpoint, theirId), keyOf(endpoint), headers), 400, 'invalid_request')
  }
})

// Whoever has no vouchers yet has an address nevertheless.
const withoutId = endpoints.filter((endpoint) => {
  const names = paramsOf(endpoint).filter((name) => name !== 'eth_address')
  return names.length > 0 && !names.some((name) => name.endsWith('_id'))
})

test.each(named(withoutId))('%s: a part of the path that names nothing gets 404', async (_, endpoint) => {
  const url = fill(endpoint, () => 'nope')
  expectProblem(await ask(endpoint, url, keyOf(endpoint)), 404, 'not_found')
})

describe.each(named(secured))('%s', (_, endpoint) => {
  const url = () => fill(endpoint, theirId)

  test('a request without a key is refused', async () =>
    expectProblem(await ask(endpoint, url()), 401, 'unauthenticated'))

  test('a malformed key, a wrong checksum and a key never issued are refused', async () => {
    const unissued = newKey('TEST').key
    for (const key of ['x', mine.key.slice(0, -1) + (mine.key.endsWith('0') ? '1' : '0'), unissued])
      expectProblem(await ask(endpoint, url(), key), 401, 'unauthenticated')
    expectProblem(await ask(endpoint, url(), undefined, { 'x-api-key': unissued }), 401, 'unauthenticated')
  })

  test('a revoked key and an expired one are refused', async () => {
    const revoked = await makeKey(mine, { revoked: true })
    const expired = await makeKey(mine, { expiresAt: new Date(Date.now() - 1000) })
    for (const { key } of [revoked, expired]) expectProblem(await ask(endpoint, url(), key), 401, 'unauthenticated')
  })

  if (endpoint.permission)
    test('a key without the permission is refused', async () => {
      const { key } = await makeKey(mine, {
        permissions: PERMISSIONS.filter((permission) => permission !== endpoint.permission),
      })
      expectProblem(await ask(endpoint, url(), key), 403, 'forbidden')
    })

  if (paramsOf(endpoint).some((name) => name.endsWith('_id')))
    test("another organization's id, an unknown one and a malformed one get the same 404", async () => {
      const answers = await Promise.all(
        [theirId, () => newId(), () => 'nope'].map((values) => ask(endpoint, fill(endpoint, values), mine.key)),
      )
      for (const answer of answers) expectProblem(answer, 404, 'not_found')
      const [first, ...others] = answers.map(({ body }) => ({ ...body, request_id: '' }))
      for (const other of others) expect(other).toEqual(first)
    })
})

describe.each(named(open))('%s', (_, endpoint) => {
  test('any browser origin is allowed, and a key is ignored', async () => {
    const url = fill(endpoint, theirId)
    const answer = await ask(endpoint, url, 'vt_test_nonsense')
    // One PIN a minute is mailed, so it isn't asked for again.
    const without = endpoint.path.endsWith('/verify') ? { status: 201, body: {} } : await ask(endpoint, url)
    expect([answer.status, answer.body.code]).toEqual([without.status, without.body.code])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await call('OPTIONS', fill(endpoint, theirId))
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, PUT, PATCH, DELETE',
    ])
  })

  const ids = paramsOf(endpoint).filter((name) => name.endsWith('_id') && name !== 'network_id')
  if (ids.length > 0)
    test('an unknown id and a malformed one both get 404', async () => {
      const answers = await Promise.all(
        [() => newId(), () => 'nope'].map((value) =>
          ask(
            endpoint,
            fill(endpoint, (name) => (ids.includes(name) ? value() : theirId(name))),
          ),
        ),
      )
      for (const answer of answers) expectProblem(answer, 404, 'not_found')
    })
})

describe('serve', () => {
  const api = () => callerOf(mine.key)

  test('a read has an ETag, and If-None-Match with it gets 304', async () => {
    const first = await api().get('/v1/items')
    const again = await api().get('/v1/items', { 'if-none-match': first.headers.get('etag')! })
    expect([first.status, again.status, again.body]).toEqual([200, 304, ''])
  })

  test('an unknown path gets 404 and a wrong method 405, as problems', async () => {
    expectProblem(await call('GET', '/v1/no-such-thing'), 404, 'not_found')
    const answer = await call('PUT', '/v1/items', { key: mine.key, body: {} })
    expectProblem(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toContain('GET')
  })

  test('a body that is too large, invalid JSON or of another media type is refused', async () => {
    const post = (text: string, type = 'application/json') =>
      call('POST', '/v1/collections', { key: mine.key, text, headers: { 'content-type': type } })
    expectProblem(await post(`{"name":"${'x'.repeat(1024 * 1024)}"}`), 413, 'body_too_large')
    expectProblem(await post('{"name":'), 400, 'invalid_request')
    expectProblem(await post('name=x', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type')
  })

  test('limits out of bounds and invalid cursors are refused; empty parameters are absent', async () => {
    expectProblem(await api().get('/v1/items?limit=0'), 400, 'invalid_request')
    expectProblem(await api().get('/v1/items?limit=1001'), 400, 'invalid_request')
    expectProblem(await api().get('/v1/items?cursor=abc'), 400, 'invalid_cursor')
    expect((await api().get('/v1/items?limit=&cursor=')).status).toBe(200)
  })

  test('what axios, PHP and qs make of a list narrows it as its own name does', async () => {
    const { collection_id } = await makeRows(await makeOrganization())
    for (const name of [
      'collection_ids',
      'collection_ids[]',
      'collection_ids[0]',
      'collection_id',
      'collection_id[]',
    ]) {
      const found = async (id: string) => (await call('GET', `/public/v1/items?${name}=${id}`)).body.total_results
      expect([name, await found(collection_id!), await found(newId())]).toEqual([name, 1, 0])
    }
  })

  test('a mistyped or empty campaign leaves the organization’s own template', async () => {
    const path = '/v1/email-templates/REDEEM_NFT'
    const saved = { subject: 'Hello', text: '{{claim_url}}', format: 'HTML', body: '<a href="{{claim_url}}">Take</a>' }
    expect((await call('PUT', path, { key: mine.key, body: saved })).status).toBe(200)
    for (const query of [`campaignId=${newId()}`, 'campaign_id=', `campaign_id[]=${newId()}`])
      expectProblem(await api().delete(`${path}?${query}`), 400, 'invalid_request')
    expect((await api().get(path)).body.subject).toBe('Hello')
  })

  test('every list refuses the cursor of another list, and a cursor is good for the filters and the organization it was made for', async () => {
    const withTwoItems = async (organization: TestOrganization) => {
      const rows = await makeRows(organization)
      await organization.ctx.db.item.create({
        data: {
          id: newId(),
          organizationId: organization.id,
          collectionId: rows.collection_id!,
          attributes: { title: 'Second' },
        },
      })
      return rows
    }
    const other = await makeOrganization()
    await withTwoItems(other)
    const ids = await withTwoItems(mine)
    const cursorOf = async (key: string): Promise<string> =>
      (await call('GET', '/v1/items?limit=1', { key })).body.cursor
    const cursor = await cursorOf(mine.key)
    expect((await api().get(`/v1/items?cursor=${cursor}`)).status).toBe(200)
    expectProblem(
      await api().get(`/v1/items?collection_id=${ids.collection_id}&cursor=${cursor}`),
      400,
      'invalid_cursor',
    )
    expectProblem(await api().get(`/v1/items?cursor=${await cursorOf(other.key)}`), 400, 'invalid_cursor')
    const lists = endpoints.filter(
      ({ method, path, query }) => method === 'GET' && path !== '/v1/items' && query && 'cursor' in query.shape,
    )
    expect(lists.length).toBeGreaterThan(25)
    for (const list of lists) {
      const required = { organization_id: mine.id, network_id: '31337' }
      const taken = Object.entries(required).filter(([name]) => name in list.query!.shape)
      const url = `${fill(list, (name) => ids[name]!)}?${new URLSearchParams(taken).toString()}`
      expect((await ask(list, url, mine.key)).status, list.path).toBe(200)
      expectProblem(await ask(list, `${url}&cursor=${cursor}`, mine.key), 400, 'invalid_cursor')
    }
  })

  test('an Idempotency-Key with the same body gets the stored response; with another body 409', async () => {
    const headers = { 'idempotency-key': newId() }
    const name = newId()
    const first = await api().post('/v1/collections', { name }, headers)
    const again = await api().post('/v1/collections', { name }, headers)
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
    expect(again.body).toEqual(first.body)
    expectProblem(await api().post('/v1/collections', { name: newId() }, headers), 409, 'idempotency_mismatch')
  })

  test('1,000 simultaneous requests with one Idempotency-Key make one collection', async () => {
    const headers = { 'idempotency-key': newId() }
    const name = newId()
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => api().post('/v1/collections', { name }, headers)),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.every(({ status, body }) => status === 201 || body.code === 'idempotency_in_flight')).toBe(true)
  })

  test('a failed request leaves its Idempotency-Key free', async () => {
    const headers = { 'idempotency-key': newId() }
    const name = newId()
    expect((await api().post('/v1/collections', { name, media: 7 }, headers)).status).toBe(400)
    expect((await api().post('/v1/collections', { name }, headers)).status).toBe(201)
  })
})
