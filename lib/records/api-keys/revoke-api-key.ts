import { recordAudit } from '../audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { assertWithinOwnRole } from '../../platform/auth/roles.ts'
import { notFound } from '../../core/errors.ts'

/**
 * Revokes a key, at once and permanently. Throws `role_beyond_own` for the key of a member whose role is above the
 * caller's.
 */
export const revokeApiKey = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const row = await tx.db.apiKey.findFirst({ where: { id, revokedAt: null }, include: { member: true } })
    if (!row) throw notFound()
    await assertWithinOwnRole(tx, [row.member.role], 'This key is an owner’s: only an owner revokes it.')
    const { count } = await tx.db.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: tx.now() } })
    if (count === 0) throw notFound()
    await recordAudit(tx, { action: 'api_key.revoked', subject: { type: 'api_key', id } })
    return undefined
  })
