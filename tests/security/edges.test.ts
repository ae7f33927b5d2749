import { beforeAll, describe, expect, test, vi } from 'vitest'
import { clientNetwork } from '../../lib/core/ip-address.ts'
import type { ApiResponse, CallOptions } from '../support/call.ts'
import type { makeOrganization as MakeOrganization } from '../support/organization.ts'

describe('rate limits', () => {
  let call: (method: 'GET' | 'POST', url: string, options?: CallOptions) => Promise<ApiResponse>
  let key: string
  let forgedKey: () => string
  let makeOrganization: typeof MakeOrganization

  beforeAll(async () => {
    vi.resetModules()
    const limits = { RATE_LIMIT_PUBLIC_READS: '3', RATE_LIMIT_ADMIN_FAILURES: '3', RATE_LIMIT_ADMIN: '50' }
    Object.assign(process.env, limits)
    ;({ call } = await import('../support/call.ts'))
    const { newKey } = await import('../../lib/platform/auth/key-format.ts')
    forgedKey = () => newKey('TEST').key
    ;({ makeOrganization } = await import('../support/organization.ts'))
    const { installFakeChain } = await import('../support/claims.ts')
    installFakeChain()
    key = (await makeOrganization()).key
    return () =>
      Object.assign(process.env, { ...limits, ...Object.fromEntries(Object.keys(limits).map((name) => [name, '0'])) })
  })

  const from = (address: string) => ({ 'x-client-address': address })
  const read = (address: string) => call('GET', '/public/v1/networks', { headers: from(address) })
  const statuses = async (asked: Promise<ApiResponse>[]) =>
    (await Promise.all(asked)).map(({ status }) => status).sort()

  test('a client that changes its IPv6 address within its /64 stays one client', async () => {
    const asked = Array.from({ length: 10 }, (_, at) => read(`2a00:1:2:3:${at}::${at + 1}`))
    expect(await statuses(asked)).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429, 429])
    expect((await read('2a00:1:2:4::1')).status).toBe(200)
  })

  test('an IPv4 address written as IPv6 is the same client', async () => {
    const asked = ['198.51.100.1', '::ffff:198.51.100.1', '::ffff:c633:6401', '198.51.100.1'].map(read)
    expect(await statuses(asked)).toEqual([200, 200, 200, 429])
    expect((await read('198.51.100.2')).status).toBe(200)
  })

  test('keys that don’t exist are counted by client; a valid key of the same client goes on working', async () => {
    const ask = (given: string | undefined, address: string) =>
      call('GET', '/v1/me', { key: given, headers: from(address) })
    const asked = Array.from({ length: 6 }, (_, at) => ask(at % 2 ? undefined : forgedKey(), `2a00:5:6:7::${at + 1}`))
    expect(await statuses(asked)).toEqual([401, 401, 401, 429, 429, 429])
    const refused = await ask(forgedKey(), '2a00:5:6:7::99')
    expect([refused.status, refused.body.code, refused.headers.has('retry-after')]).toEqual([429, 'rate_limited', true])
    expect((await ask(key, '2a00:5:6:7::99')).status).toBe(200)
    expect((await ask(forgedKey(), '2a00:5:6:8::1')).status).toBe(401)
  })

  test('requests with a valid key don’t count as failures', async () => {
    const ask = (given: string) => call('GET', '/v1/me', { key: given, headers: from('203.0.113.40') })
    expect(new Set(await statuses(Array.from({ length: 10 }, () => ask(key))))).toEqual(new Set([200]))
    expect((await ask(forgedKey())).status).toBe(401)
  })

  test('the time of slow checks counts as requests of their key, which is refused once they are used up', async () => {
    const [own, other] = [await makeOrganization(), await makeOrganization()]
    const post = async (url: string, body: object) => (await call('POST', url, { key: own.key, body })).body
    const { id: collection_id } = await post('/v1/collections', { name: 'Slow' })
    const { id: item_type_id } = await post('/v1/item-types', {
      name: 'Slow',
      schema: { properties: { part: { pattern: '^(?=(a+)+$)' } } },
    })
    const codes = new Set<string>()
    const attributes = { title: 'x', part: `${'a'.repeat(60)}b` }
    for (let at = 0; at < 5; at++)
      codes.add((await post('/v1/items', { collection_id, item_type_id, attributes })).code)
    expect(codes).toEqual(new Set(['schema_too_slow', 'rate_limited']))
    expect((await call('GET', '/v1/me', { key: own.key })).status).toBe(429)
    expect((await call('GET', '/v1/me', { key: other.key })).status).toBe(200)
  })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::203.0.113.9', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
  ['unknown', 'unknown'],
])('the client at %s is counted as %s', (address, expected) => expect(clientNetwork(address)).toBe(expected))
