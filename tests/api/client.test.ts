import { beforeAll, expect, test } from 'vitest'
import type { Answer, Call, Endpoint } from '../../lib/platform/api/endpoint.ts'
import * as keys from '../../lib/platform/api/api-keys.ts'
import { operations } from '../../lib/platform/api/index.ts'
import { getMe } from '../../lib/platform/api/me.ts'
import { clientOf, each, Problem, type Table } from '../../packages/client/src/client.ts'
import { frontDoor } from '../support/front-door.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'

/** The operations of this file, typed by their values; the build types them by the documents. */
const used = { ...keys, getMe }
type Used = {
  [K in keyof typeof used as (typeof used)[K] extends Endpoint ? K : never]: (
    input: Call<(typeof used)[K]>,
    options?: { idempotencyKey?: string },
  ) => Promise<Answer<(typeof used)[K]>>
}
const table: Table = Object.fromEntries([...operations].map(([name, { method, path }]) => [name, [method, path]]))

let mine: TestOrganization
beforeAll(async () => {
  mine = await makeOrganization()
})
const connect = async (key: string) => clientOf<Used>(table, { origin: (await frontDoor()).url, key })

test('the client sends, reads pages, and repeats a request idempotently', async () => {
  const vitrine = await connect(mine.key)
  expect((await vitrine.getMe({})).organization.id).toBe(mine.id)

  const body = { name: 'Shop', permissions: ['items:read' as const] }
  const once = await vitrine.createApiKey({ body }, { idempotencyKey: 'only-once' })
  const again = await vitrine.createApiKey({ body }, { idempotencyKey: 'only-once' })
  expect(again).toEqual(once)
  const other = await vitrine.createApiKey({ body })
  expect(other.id).not.toBe(once.id)

  const found: string[] = []
  for await (const { id } of each(vitrine.listApiKeys, { query: { limit: 1 } })) found.push(id)
  expect(found).toEqual([other.id, once.id, mine.keyId])
  expect(await vitrine.revokeApiKey({ params: { api_key_id: once.id } })).toBeUndefined()
})

test('the client rejects with the server’s error, its fields and the id of the request', async () => {
  const { key } = await makeKey(mine)
  const vitrine = await connect(key)
  const failure = await vitrine.createApiKey({ body: { name: '' } }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Problem)
  expect(failure).toMatchObject({ code: 'invalid_request', status: 400, fields: [{ field: 'name' }] })
  expect((failure as Problem).requestId).toMatch(/^[\w-]{36}$/)
  const missing = vitrine.getApiKey({ params: { api_key_id: mine.id } })
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
})
