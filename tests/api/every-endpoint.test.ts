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
/** A real, existing id of another organization for every path parameter there is. A new parameter must be added in tests/support/rows.ts. */
const their = (name: string) => theirs[name] ?? expect.fail(`Add a ${name} to tests/support/rows.ts.`)
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

/** RFC 9457 with our additions (gaps.md 5). */
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

test('there are endpoints, each with a permission of its area or open to all', () => {
  expect(endpoints.length).toBeGreaterThan(40)
  for (const endpoint of secured) {
    if (endpoint.path === '/v1/me') continue
    expect(PERMISSIONS, endpoint.path).toContain(endpoint.permission)
    expect(
      endpoint.permission!.endsWith(endpoint.method === 'GET' ? ':read' : ':write'),
      `${endpoint.method} ${endpoint.path}`,
    ).toBe(true)
  }
  for (const endpoint of open) expect(endpoint.path).toMatch(/^\/public\/v1\//)
  for (const endpoint of secured) expect(endpoint.path).toMatch(/^\/v1\//)
})

test.each(named(endpoints.filter((endpoint) => endpoint.body)))('%s: its example is a valid body', (_, endpoint) => {
  expect(endpoint.example, 'give the endpoint an example').toBeDefined()
  expect(endpoint.body!.safeParse(endpoint.example).error).toBeUndefined()
})

describe.each(named(secured))('%s', (_, endpoint) => {
  const url = () => fill(endpoint, their)

  test('refuses a caller without a key', async () => expectProblem(await ask(endpoint, url()), 401, 'unauthenticated'))

  test('refuses a key that is none, one with a wrong checksum, and one nobody issued', async () => {
    const stranger = newKey('TEST').key
    for (const key of ['x', mine.key.slice(0, -1) + (mine.key.endsWith('0') ? '1' : '0'), stranger])
      expectProblem(await ask(endpoint, url(), key), 401, 'unauthenticated')
    expectProblem(await ask(endpoint, url(), undefined, { 'x-api-key': stranger }), 401, 'unauthenticated')
  })

  test('refuses a revoked key and an expired one', async () => {
    const revoked = await makeKey(mine, { revoked: true })
    const expired = await makeKey(mine, { expiresAt: new Date(Date.now() - 1000) })
    for (const { key } of [revoked, expired]) expectProblem(await ask(endpoint, url(), key), 401, 'unauthenticated')
  })

  if (endpoint.permission)
    test('refuses a key without the permission', async () => {
      const { key } = await makeKey(mine, {
        permissions: PERMISSIONS.filter((permission) => permission !== endpoint.permission),
      })
      expectProblem(await ask(endpoint, url(), key), 403, 'forbidden')
    })

  if (paramsOf(endpoint).some((name) => name.endsWith('_id')))
    test("another organization's id can't be told from one that never was, nor from a malformed one", async () => {
      const answers = await Promise.all(
        [their, () => newId(), () => 'nope'].map((values) => ask(endpoint, fill(endpoint, values), mine.key)),
      )
      for (const answer of answers) expectProblem(answer, 404, 'not_found')
      const [first, ...others] = answers.map(({ body }) => ({ ...body, request_id: '' }))
      for (const other of others) expect(other).toEqual(first)
    })

  if (endpoint.body)
    test('names a field it does not know', async () => {
      const answer = await call(endpoint.method, fill(endpoint, their), {
        key: mine.key,
        body: { ...(endpoint.example as object), no_such_field: 1 },
      })
      expectProblem(answer, 400, 'invalid_request')
      expect(answer.body.errors).toContainEqual({
        field: 'no_such_field',
        code: 'unknown_field',
        detail: 'There is no such field.',
      })
    })
})

describe.each(named(open))('%s', (_, endpoint) => {
  test('takes any browser origin, and no notice of a key', async () => {
    const answer = await ask(endpoint, fill(endpoint, their), 'vt_test_nonsense')
    expect(answer.status).not.toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await call('OPTIONS', fill(endpoint, their))
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, PUT, PATCH, DELETE',
    ])
  })

  const ids = paramsOf(endpoint).filter((name) => name.endsWith('_id') && name !== 'network_id')
  if (ids.length > 0)
    test('an unknown id and a malformed one look alike', async () => {
      const answers = await Promise.all(
        [() => newId(), () => 'nope'].map((value) =>
          ask(
            endpoint,
            fill(endpoint, (name) => (ids.includes(name) ? value() : their(name))),
          ),
        ),
      )
      for (const answer of answers) expectProblem(answer, 404, 'not_found')
    })
})

describe('what serve does for all of them', () => {
  const api = () => callerOf(mine.key)

  test('a read carries an ETag and answers 304 to whoever has it', async () => {
    const first = await api().get('/v1/items')
    const again = await api().get('/v1/items', { 'if-none-match': first.headers.get('etag')! })
    expect([first.status, again.status, again.body]).toEqual([200, 304, ''])
  })

  test('an unknown path and a wrong method are problems too', async () => {
    expectProblem(await call('GET', '/v1/no-such-thing'), 404, 'not_found')
    const answer = await call('PUT', '/v1/items', { key: mine.key, body: {} })
    expectProblem(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toContain('GET')
  })

  test('a body that is too large, no JSON, or of another type is refused', async () => {
    const post = (text: string, type = 'application/json') =>
      call('POST', '/v1/collections', { key: mine.key, text, headers: { 'content-type': type } })
    expectProblem(await post(`{"name":"${'x'.repeat(1024 * 1024)}"}`), 413, 'body_too_large')
    expectProblem(await post('{"name":'), 400, 'invalid_request')
    expectProblem(await post('name=x', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type')
  })

  test('limits out of bounds and foreign cursors are refused, empty parameters are absent ones', async () => {
    expectProblem(await api().get('/v1/items?limit=0'), 400, 'invalid_request')
    expectProblem(await api().get('/v1/items?limit=1001'), 400, 'invalid_request')
    expectProblem(await api().get('/v1/items?cursor=abc'), 400, 'invalid_cursor')
    expect((await api().get('/v1/items?limit=&cursor=&unheard_of=1')).status).toBe(200)
  })

  test('the same Idempotency-Key and body: the same answer, done once; another body: 409', async () => {
    const headers = { 'idempotency-key': newId() }
    const name = newId()
    const first = await api().post('/v1/collections', { name }, headers)
    const again = await api().post('/v1/collections', { name }, headers)
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
    expect(again.body).toEqual(first.body)
    expectProblem(await api().post('/v1/collections', { name: newId() }, headers), 409, 'idempotency_mismatch')
  })

  test('a thousand requests with one Idempotency-Key make one collection', async () => {
    const headers = { 'idempotency-key': newId() }
    const name = newId()
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => api().post('/v1/collections', { name }, headers)),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.every(({ status, body }) => status === 201 || body.code === 'idempotency_in_flight')).toBe(true)
  })

  test('a failure frees the key', async () => {
    const headers = { 'idempotency-key': newId() }
    const name = newId()
    expect((await api().post('/v1/collections', { name, media: 7 }, headers)).status).toBe(400)
    expect((await api().post('/v1/collections', { name }, headers)).status).toBe(201)
  })
})
