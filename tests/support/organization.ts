import { newKey } from '../../lib/platform/auth/key-format.ts'
import { organizationContext } from '../../lib/platform/auth/authenticate.ts'
import type { Context } from '../../lib/platform/auth/context.ts'
import { PERMISSIONS, type Permission, type Role } from '../../lib/platform/api/permissions.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { madeSecrets } from './made-secrets.ts'

export type TestOrganization = {
  id: string
  ctx: Context
  memberId: string
  userId: string
  email: string
  key: string
  keyId: string
}

/** A new organization with an owner and a TEST key that has all permissions. */
export async function makeOrganization({
  role = 'OWNER' as Role,
  name = 'Test gallery',
} = {}): Promise<TestOrganization> {
  const db = systemClient()
  const id = newId()
  const email = `${id}@example.com`
  await db.organization.create({ data: { id, name } })
  const user = await db.user.create({ data: { id: newId(), email } })
  const memberId = newId()
  await db.member.create({ data: { id: memberId, organizationId: id, userId: user.id, role, joinedAt: new Date() } })
  const { key, keyId } = await makeKey({ id, memberId })
  return { id, ctx: organizationContext(id, 'test'), memberId, userId: user.id, email, key, keyId }
}

/** Another key of the organization. */
export async function makeKey(
  organization: { id: string; memberId: string },
  {
    permissions = PERMISSIONS as readonly Permission[],
    mode = 'TEST' as 'TEST' | 'LIVE',
    revoked = false,
    expiresAt = null as Date | null,
  } = {},
): Promise<{ key: string; keyId: string }> {
  const { key, shortId, secretHash, serverKeyId } = newKey(mode)
  madeSecrets.add(key)
  const keyId = newId()
  await systemClient().apiKey.create({
    data: {
      id: keyId,
      organizationId: organization.id,
      memberId: organization.memberId,
      name: 'test',
      shortId,
      secretHash: new Uint8Array(secretHash),
      serverKeyId,
      permissions: [...permissions],
      mode,
      expiresAt,
      revokedAt: revoked ? new Date() : null,
    },
  })
  return { key, keyId }
}
