import { beforeEach, describe, expect, test, vi } from 'vitest'
import { memberContext } from '../../lib/platform/auth/authenticate.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { findEndedKeys } from '../../lib/platform/auth/find-key.ts'
import { PERMISSIONS, type Permission, type Role, ROLE_PERMISSIONS } from '../../lib/platform/api/permissions.ts'
import { now } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { createMember } from '../../lib/members/create-member.ts'
import { createApiKey } from '../../lib/records/api-keys/create-api-key.ts'
import { revokeApiKey } from '../../lib/records/api-keys/revoke-api-key.ts'
import { callerOf, code } from '../support/call.ts'
import { caller } from '../support/claims.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeSession } from '../support/sessions.ts'

let mine: TestOrganization
beforeEach(async () => {
  mine = await makeOrganization()
})

const someone = () => `${newId()}@example.com`
const READS = PERMISSIONS.filter((permission) => permission.endsWith(':read'))

/** A client with another key of this member, of the owner unless given. */
const keyed = async (
  permissions: readonly Permission[],
  { mode = 'LIVE', memberId = mine.memberId }: { mode?: 'TEST' | 'LIVE'; memberId?: string } = {},
) => callerOf((await makeKey({ id: mine.id, memberId }, { permissions, mode })).key)

/** A joined member of this role. */
async function makeMember(role: Role): Promise<{ id: string; ctx: Context }> {
  const user = await systemClient().user.create({ data: { id: newId(), email: someone() } })
  const id = newId()
  const joinedAt = now()
  await systemClient().member.create({ data: { id, organizationId: mine.id, userId: user.id, role, joinedAt } })
  return { id, ctx: (await memberContext(await makeSession(user.id), caller, mine.id))! }
}

describe('roles', () => {
  test('a key with members:write alone makes no member of any role', async () => {
    const api = await keyed(['members:write'])
    for (const role of ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'])
      expect(code(await api.post('/v1/members', { email: someone(), role }))).toEqual([403, 'role_beyond_own'])
    expect(await systemClient().member.count({ where: { organizationId: mine.id } })).toBe(1)
  })

  test('a key raises nobody to a role with a permission that the key lacks, and may lower one', async () => {
    const viewer = await makeMember('VIEWER')
    const admin = await makeMember('ADMIN')
    const api = await keyed(PERMISSIONS.filter((permission) => permission !== 'payments:write'))
    expect(code(await api.patch(`/v1/members/${viewer.id}`, { role: 'ADMIN' }))).toEqual([403, 'role_beyond_own'])
    expect((await api.patch(`/v1/members/${viewer.id}`, { role: 'EDITOR' })).body.role).toBe('EDITOR')
    expect((await api.patch(`/v1/members/${admin.id}`, { role: 'VIEWER' })).body.role).toBe('VIEWER')
  })

  test('a key resends no invitation to a role with a permission that the key lacks', async () => {
    const full = await keyed(PERMISSIONS)
    const { id } = (await full.post('/v1/members', { email: someone(), role: 'OWNER' })).body
    await systemClient().member.update({ where: { id }, data: { invitedAt: null } })
    const api = await keyed(['members:write', ...READS])
    expect(code(await api.post(`/v1/members/${id}/resend-invitation`))).toEqual([403, 'role_beyond_own'])
    expect((await full.post(`/v1/members/${id}/resend-invitation`)).status).toBe(200)
  })

  test('a TEST key gives no role that may change anything, whatever its permissions', async () => {
    const api = await keyed(PERMISSIONS, { mode: 'TEST' })
    const viewer = await makeMember('VIEWER')
    for (const role of ['OWNER', 'ADMIN', 'EDITOR']) {
      expect(code(await api.post('/v1/members', { email: someone(), role }))).toEqual([403, 'role_beyond_own'])
      expect(code(await api.patch(`/v1/members/${viewer.id}`, { role }))).toEqual([403, 'role_beyond_own'])
    }
    expect((await api.post('/v1/members', { email: someone(), role: 'VIEWER' })).status).toBe(201)
  })

  test('a LIVE key with all permissions of a role gives it, up to the role of its member', async () => {
    const owner = await keyed(PERMISSIONS)
    expect((await owner.post('/v1/members', { email: someone(), role: 'OWNER' })).status).toBe(201)
    const editing = await keyed(['members:write', ...ROLE_PERMISSIONS.EDITOR])
    expect((await editing.post('/v1/members', { email: someone(), role: 'EDITOR' })).status).toBe(201)
    const admin = await keyed(PERMISSIONS, { memberId: (await makeMember('ADMIN')).id })
    expect((await admin.post('/v1/members', { email: someone(), role: 'ADMIN' })).status).toBe(201)
    expect(code(await admin.post('/v1/members', { email: someone(), role: 'OWNER' }))).toEqual([403, 'role_beyond_own'])
  })

  test('a signed-in member gives no role above their own', async () => {
    const { ctx } = await makeMember('ADMIN')
    const invite = (role: Role) => createMember(ctx, { email: someone(), role })
    await expect(invite('OWNER')).rejects.toMatchObject({ code: 'role_beyond_own' })
    expect(await invite('ADMIN')).toMatchObject({ role: 'ADMIN' })
  })
})

describe('keys made by keys', () => {
  const inDays = (days: number) => new Date(now().getTime() + days * 86_400_000)

  test('a key that expires makes none that expires later, or never', async () => {
    const expiresAt = inDays(2)
    const api = callerOf((await makeKey(mine, { mode: 'LIVE', expiresAt })).key)
    const late = await api.post('/v1/api-keys', { name: 'Later', expires_at: inDays(3).toISOString() })
    expect([...code(late), late.body.errors[0].field]).toEqual([403, 'forbidden', 'expires_at'])
    const unset = await api.post('/v1/api-keys', { name: 'As long', expires_at: null })
    expect(unset.body.expires_at).toBe(expiresAt.toISOString())
    const sooner = await api.post('/v1/api-keys', { name: 'Sooner', expires_at: inDays(1).toISOString() })
    expect(sooner.status).toBe(201)
    const child = callerOf(unset.body.key)
    const grandchild = await child.post('/v1/api-keys', { name: 'Third', expires_at: inDays(3).toISOString() })
    expect(code(grandchild)).toEqual([403, 'forbidden'])
  })

  test('a key makes none with a permission or a mode that it lacks', async () => {
    const few = await keyed(['api_keys:write', 'items:read'])
    const more = await few.post('/v1/api-keys', { name: 'More', permissions: ['items:write'] })
    expect(code(more)).toEqual([403, 'forbidden'])
    expect((await few.post('/v1/api-keys', { name: 'Same' })).body.permissions.sort()).toEqual([
      'api_keys:write',
      'items:read',
    ])
    const live = await (await keyed(PERMISSIONS, { mode: 'TEST' })).post('/v1/api-keys', { name: 'Live', mode: 'LIVE' })
    expect(code(live)).toEqual([403, 'forbidden'])
  })

  test('a signed-in member makes no key with a permission beyond their role', async () => {
    const { ctx } = await makeMember('EDITOR')
    await expect(createApiKey(ctx, { name: 'More', permissions: ['payments:write'] })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('revoking', () => {
  test('an administrator revokes no key of an owner, by key or signed in; an owner revokes theirs', async () => {
    const { id, ctx } = await makeMember('ADMIN')
    const owners = await makeKey(mine, { mode: 'LIVE' })
    const admins = await makeKey({ id: mine.id, memberId: id })
    const byKey = await keyed(PERMISSIONS, { memberId: id })
    expect(code(await byKey.delete(`/v1/api-keys/${owners.keyId}`))).toEqual([403, 'role_beyond_own'])
    await expect(revokeApiKey(ctx, owners.keyId)).rejects.toMatchObject({ code: 'role_beyond_own' })
    expect((await callerOf(owners.key).get('/v1/me')).status).toBe(200)
    expect((await byKey.delete(`/v1/api-keys/${admins.keyId}`)).status).toBe(204)
    expect((await (await keyed(['api_keys:write'])).delete(`/v1/api-keys/${owners.keyId}`)).status).toBe(204)
  })

  test('only the key that is used is noted as used, and once a minute', async () => {
    const [used, other] = [await makeKey(mine), await makeKey(mine)]
    const lastUsed = async ({ keyId }: typeof used) =>
      (await systemClient().apiKey.findUniqueOrThrow({ where: { id: keyId } })).lastUsedAt
    await callerOf(used.key).get('/v1/me')
    await vi.waitFor(async () => expect(await lastUsed(used)).not.toBeNull())
    const first = await lastUsed(used)
    expect(await lastUsed(other)).toBeNull()
    await callerOf(used.key).get('/v1/me')
    expect(await lastUsed(used)).toEqual(first)
  })

  test('a waiting request learns of keys that expired, were revoked, or whose member or person is gone', async () => {
    const key = await makeKey(mine)
    const { id: memberId } = await makeMember('EDITOR')
    const { userId } = await systemClient().member.findUniqueOrThrow({ where: { id: memberId } })
    const ofMember = await makeKey({ id: mine.id, memberId })
    const expired = await makeKey(mine, { expiresAt: new Date(now().getTime() - 1) })
    const revoked = await makeKey(mine, { revoked: true })
    const ids = [key, ofMember, expired, revoked].map(({ keyId }) => keyId)
    const ended = async () => [...(await findEndedKeys(ids))].sort()
    const alone = [expired.keyId, revoked.keyId]
    expect(await ended()).toEqual(alone.toSorted())
    const db = systemClient()
    await db.member.update({ where: { id: memberId }, data: { removedAt: now() } })
    expect(await ended()).toEqual([...alone, ofMember.keyId].sort())
    await db.member.update({ where: { id: memberId }, data: { removedAt: null } })
    await db.user.update({ where: { id: userId }, data: { disabledAt: now() } })
    expect(await ended()).toEqual([...alone, ofMember.keyId].sort())
  })

  test('a TEST key revokes TEST keys only', async () => {
    const live = await makeKey(mine, { mode: 'LIVE' })
    const other = await makeKey(mine)
    expect(code(await callerOf(mine.key).delete(`/v1/api-keys/${live.keyId}`))).toEqual([422, 'mode_mismatch'])
    expect((await callerOf(mine.key).delete(`/v1/api-keys/${other.keyId}`)).status).toBe(204)
  })
})
