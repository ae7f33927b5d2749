import { recordAudit } from '../audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/** Revokes a key, at once and permanently. */
export const revokeApiKey = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: tx.now() } })
    if (count === 0) throw notFound()
    await recordAudit(tx, { action: 'api_key.revoked', subject: { type: 'api_key', id } })
    return undefined
  })
