import { beforeAll, describe, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { newId } from '../../lib/core/id.ts'
import { endpoints } from '../../lib/platform/api/index.ts'
import type { Endpoint, Method } from '../../lib/platform/api/endpoint.ts'
import { PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { SESSION_COOKIE } from '../../lib/platform/auth/cookies.ts'
import { type ApiResponse, call } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'
import { ask, frontDoor } from '../support/front-door.ts'
import { installServices, PREPARATIONS } from '../support/good-requests.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeRows } from '../support/rows.ts'
import { until } from '../support/until.ts'

let mine: TestOrganization
let ids: Record<string, string>

beforeAll(async () => {
  installFakeChain()
  await installServices()
  mine = await makeOrganization()
  ids = await makeRows(mine)
})

const ORDER = ['PUT', 'PATCH', 'DELETE']
const gets = new Map(endpoints.filter(({ method }) => method === 'GET').map((get) => [get.path, get]))
const writes = endpoints
  .filter(({ method }) => ORDER.includes(method))
  .toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
const named = (list: Endpoint[]) => list.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

type Send = (method: Method, ifMatch?: string) => Promise<ApiResponse>

/** A good request of an endpoint, and reads of its path by the same caller. */
async function requestsOf(endpoint: Endpoint): Promise<Send> {
  const own = (await PREPARATIONS[endpoint.id]?.(mine)) ?? {}
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => own.ids?.[name] ?? ids[name]!)
  const query = new URLSearchParams(own.query).toString()
  return (method, ifMatch) =>
    call(method, `${path}?${query}`, {
      key: own.session ? undefined : (own.key ?? mine.key),
      headers: {
        ...(own.session && { cookie: `${SESSION_COOKIE}=${own.session}`, 'sec-fetch-site': 'same-origin' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(method !== 'GET' && endpoint.body && { body: own.body ?? endpoint.example }),
    })
}

const refused = expect.objectContaining({ status: 412, code: 'precondition_failed' })
const etagOf = ({ status, headers }: ApiResponse) => [status, headers.get('etag')]

describe('a write of what can be read is done with its ETag of now, and refused with any other', () => {
  test.each(named(writes.filter(({ path }) => gets.has(path))))('%s keeps to it', async (_, endpoint) => {
    const send = await requestsOf(endpoint)
    const before = await send('GET')
    const [, etag] = etagOf(before)
    for (const other of ['"another"', `W/${etag}`, String(etag).slice(1, -1), '', `${etag}x, W/"*"`])
      expect((await send(endpoint.method, other)).body, other).toEqual(refused)
    expect(etagOf(await send('GET'))).toEqual([200, etag])
    const done = await send(endpoint.method, `"another" , ${String(etag).slice(0, -1)}-br"`)
    expect(done.status, JSON.stringify(done.body)).toBeLessThan(300)
  })
})

describe('a write of what nothing reads has no ETag that fits', () => {
  test.each(named(writes.filter(({ path }) => !gets.has(path))))('%s takes none', async (_, endpoint) => {
    const send = await requestsOf(endpoint)
    expect((await send(endpoint.method, '"any"')).body).toEqual(refused)
    const done = await send(endpoint.method, '*')
    expect(done.status, JSON.stringify(done.body)).toBeLessThan(300)
  })
})

const makeCampaign = async () =>
  (await call('POST', '/v1/marketing-campaigns', { key: mine.key, body: { name: newId() } })).body.id as string

test('any record that is there matches *, and what isn’t there is not found', async () => {
  const patch = (id: string, ifMatch: string) =>
    call('PATCH', `/v1/marketing-campaigns/${id}`, {
      key: mine.key,
      body: { reminder_days: 5 },
      headers: { 'if-match': ifMatch },
    })
  expect((await patch(await makeCampaign(), '*')).status).toBe(200)
  for (const tag of ['*', '"any"']) expect((await patch(newId(), tag)).body.code).toBe('not_found')
})

test('what is compared is what the same key would read, so it needs the permission to read', async () => {
  const { key } = await makeKey(mine, { permissions: PERMISSIONS.filter((each) => each !== 'campaigns:read') })
  const path = `/v1/marketing-campaigns/${await makeCampaign()}`
  const patch = (headers: Record<string, string>) => call('PATCH', path, { key, body: { reminder_days: 4 }, headers })
  expect((await patch({ 'if-match': '"any"' })).body).toMatchObject({ code: 'forbidden', permission: 'campaigns:read' })
  expect((await patch({})).status).toBe(200)
})

/** A write of what another one is just changing: it has read what was there before, and waits for the row. */
async function whileChanging(change: Prisma.Sql, write: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const [answer] = await inTransaction(mine.ctx, async (tx) => {
    await tx.sql(change)
    const answer = write()
    const waits = Prisma.sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`
    await until('The write waits', async () => (await tx.sql(waits)).length > 0)
    return [answer]
  })
  return answer
}

describe('of two changes at once the one that had read what was there before is refused', () => {
  test('the late change of a campaign is refused', async () => {
    const id = await makeCampaign()
    const path = `/v1/marketing-campaigns/${id}`
    const etag = (await call('GET', path, { key: mine.key })).headers.get('etag')!
    const headers = { 'if-match': etag }
    const late = await whileChanging(Prisma.sql`UPDATE campaigns SET name = ${newId()} WHERE id = ${id}::uuid`, () =>
      call('PATCH', path, { key: mine.key, body: { reminder_days: 9 }, headers }),
    )
    expect(late.body).toEqual(refused)
    expect((await call('GET', path, { key: mine.key })).body.reminder_days).toBe(3)
  })

  test('the late change of an organization is refused, whose payout address the chain is asked about', async () => {
    const path = `/v1/organizations/${mine.id}`
    const etag = (await call('GET', path, { key: mine.key })).headers.get('etag')!
    const late = await whileChanging(
      Prisma.sql`UPDATE organizations SET terms_url = 'https://a.example' WHERE id = ${mine.id}::uuid`,
      () =>
        call('PATCH', path, { key: mine.key, body: { contact_email: 'a@example.com' }, headers: { 'if-match': etag } }),
    )
    expect(late.body).toEqual(refused)
  })

  test('the late change of a template that neither had is refused', async () => {
    const path = '/v1/email-templates/CLAIM_REMINDER'
    const read = await call('GET', path, { key: mine.key })
    expect(read.body.source).toBe('PLATFORM')
    const save = (subject: string) =>
      call('PUT', path, {
        key: mine.key,
        body: { subject, text: read.body.text, format: read.body.format, body: read.body.body },
        headers: { 'if-match': read.headers.get('etag')! },
      })
    const answers = await Promise.all(['One', 'Two', 'Three'].map(save))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412])
    expect((await call('GET', path, { key: mine.key })).body.version).toBe(1)
  })
})

test('the ETags of all encodings of an answer fit', async () => {
  const server = await frontDoor()
  const id = await makeCampaign()
  const headers = { authorization: `Bearer ${mine.key}`, 'content-type': 'application/json' }
  const url = `${server.url}/v1/email-templates/RECEIPT`
  for (const encoding of ['br', 'gzip', 'identity']) {
    const { etag } = (await ask(url, { headers: { ...headers, 'accept-encoding': encoding } })).headers
    const { status } = await ask(`${url}?campaign_id=${id}`, {
      method: 'DELETE',
      headers: { ...headers, 'if-match': etag! },
    })
    expect(status).toBe(412) // of another place
    const { text, format, body } = JSON.parse((await ask(url, { headers })).body) as Record<string, unknown>
    const saved = await ask(url, {
      method: 'PUT',
      headers: { ...headers, 'if-match': etag! },
      body: JSON.stringify({ subject: newId(), text, format, body }),
    })
    expect(saved.status, saved.body).toBe(200)
  }
})
