import { expect, test } from 'vitest'
import * as keys from '../../lib/platform/api/api-keys.ts'
import { getMe } from '../../lib/platform/api/me.ts'
import { createClient, Problem } from '../../lib/platform/api/client.ts'
import { call } from '../support/call.ts'
import { makeOrganization } from '../support/organization.ts'

/** The typed client, calling the route files in this process. */
const clientOf = (key: string) =>
  createClient({
    origin: 'http://localhost',
    key,
    send: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init.headers))
      const {
        status,
        headers: answered,
        body,
      } = await call(init.method as 'GET', url, { headers, ...(init.body ? { text: String(init.body) } : {}) })
      return new Response(status === 204 ? null : JSON.stringify(body), { status, headers: answered })
    },
  })

test('the typed client sends, decodes, pages and repeats a request idempotently', async () => {
  const organization = await makeOrganization()
  const api = clientOf(organization.key)
  expect((await api(getMe, {})).organization.id).toBe(organization.id)

  const body = { name: 'Shop', permissions: ['items:read' as const] }
  const once = await api(keys.createApiKey, { body }, { idempotencyKey: 'only-once' })
  const again = await api(keys.createApiKey, { body }, { idempotencyKey: 'only-once' })
  expect(again).toEqual(once)
  expect(once.created_at).toBeInstanceOf(Date)

  const first = await api(keys.listApiKeys, { query: { limit: 1 } })
  expect(first).toMatchObject({ has_more: true, total_results: 2, results: [{ id: once.id }] })
  const second = await api(keys.listApiKeys, { query: { limit: 1, cursor: first.cursor } })
  expect(second.results.map(({ id }) => id)).toEqual([organization.keyId])
  expect(await api(keys.revokeApiKey, { params: { api_key_id: once.id } })).toBeUndefined()
})

test('the typed client rejects with the server’s error as an AppError', async () => {
  const organization = await makeOrganization()
  const api = clientOf(organization.key)
  const failure = (await api(keys.createApiKey, { body: { name: '' } }).catch((error: unknown) => error)) as Problem
  expect(failure).toBeInstanceOf(Problem)
  expect(failure).toMatchObject({ code: 'invalid_request', status: 400, fields: [{ field: 'name' }] })
  const missing = api(keys.getApiKey, { params: { api_key_id: organization.id } })
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
})
