import { beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf } from '../support/call.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

test('me shows the organization, the member, the permissions and the mode of a key', async () => {
  const { status, body } = await api.get('/v1/me')
  expect(status).toBe(200)
  expect(body).toEqual({
    organization: {
      id: mine.id,
      name: 'Test gallery',
      payout_address: null,
      payout_warnings: [],
      embed_origins: [],
      locale: null,
      requires_passkeys: false,
      follows_oidc_roles: false,
      brand: { logo_url: null, colour: null, footer: null },
      terms_url: null,
      contact_email: null,
      web_domain: null,
      shows_vitrine: true,
      created_at: expect.any(String),
    },
    user: { member_id: mine.memberId, email: mine.email, name: null, role: 'OWNER', locale: null },
    permissions: PERMISSIONS,
    mode: 'TEST',
  })
})

describe('API keys', () => {
  test('a new key is shown once, works, and stops working when revoked', async () => {
    const made = await api.post('/v1/api-keys', { name: 'Shop', permissions: ['items:read'] })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'Shop',
      permissions: ['items:read'],
      mode: 'TEST',
      expires_at: null,
      member_id: mine.memberId,
    })
    expect(made.body.key).toMatch(/^vt_test_[0-9A-Za-z]{8}_[0-9A-Za-z_-]{49}$/)
    expect(made.body.key.startsWith(made.body.prefix)).toBe(true)

    const shop = callerOf(made.body.key)
    expect((await shop.get('/v1/items')).status).toBe(200)
    expect((await shop.get('/v1/api-keys')).status).toBe(403)

    const again = await api.get(`/v1/api-keys/${made.body.id}`)
    expect(again.body.key).toBeUndefined()
    expect(JSON.stringify((await api.get('/v1/api-keys')).body)).not.toContain(made.body.key)

    expect((await api.delete(`/v1/api-keys/${made.body.id}`)).status).toBe(204)
    expect((await shop.get('/v1/items')).status).toBe(401)
    expect((await api.get(`/v1/api-keys/${made.body.id}`)).status).toBe(404)
    expect((await api.delete(`/v1/api-keys/${made.body.id}`)).status).toBe(404)
  })

  test('only a hash of a key is stored', async () => {
    const { body } = await api.post('/v1/api-keys', { name: 'Hashed' })
    const row = await systemClient().apiKey.findUniqueOrThrow({ where: { id: body.id } })
    expect(row.secretHash.length).toBe(32)
    expect(body.key).not.toContain(Buffer.from(row.secretHash).toString('base64url'))
  })

  test('a key cannot grant permissions it does not have', async () => {
    const { key } = await makeKey(mine, { permissions: ['api_keys:write', 'items:read'] })
    const refused = await callerOf(key).post('/v1/api-keys', {
      name: 'More',
      permissions: ['items:read', 'items:write'],
    })
    expect([refused.status, refused.body.code, refused.body.errors[0].field]).toEqual([403, 'forbidden', 'permissions'])
    const same = await callerOf(key).post('/v1/api-keys', { name: 'The same' })
    expect(same.body.permissions.sort()).toEqual(['api_keys:write', 'items:read'])
  })

  test('a TEST key cannot create a LIVE key', async () => {
    const refused = await api.post('/v1/api-keys', { name: 'Live', mode: 'LIVE' })
    expect([refused.status, refused.body.errors[0].field]).toEqual([403, 'mode'])
    const { key } = await makeKey(mine, { mode: 'LIVE' })
    expect((await callerOf(key).post('/v1/api-keys', { name: 'Live', mode: 'LIVE' })).body.key).toMatch(/^vt_live_/)
  })

  test('a key stops working when it expires, and an expiry in the past is refused', async () => {
    expect((await api.post('/v1/api-keys', { name: 'Old', expires_at: '2020-01-01T00:00:00Z' })).status).toBe(400)
    const { key } = await makeKey(mine, { expiresAt: new Date(Date.now() - 1000) })
    expect((await callerOf(key).get('/v1/me')).status).toBe(401)
  })

  test('a request repeated with its Idempotency-Key returns the same key', async () => {
    const headers = { 'idempotency-key': 'make-one-key' }
    const first = await api.post('/v1/api-keys', { name: 'Once' }, headers)
    const second = await api.post('/v1/api-keys', { name: 'Once' }, headers)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    const other = await api.post('/v1/api-keys', { name: 'Twice' }, headers)
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch'])
  })
})
