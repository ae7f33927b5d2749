import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createApiKey as endpoint } from '../../platform/api/api-keys.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { onProtectedChange } from '../../messaging/on-protected-change.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { newKey } from '../../platform/auth/key-format.ts'
import { memberIdOf } from '../../platform/auth/person.ts'
import { AppError, fieldError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { apiKeyOf } from './show-api-key.ts'

/**
 * Issues an API key for the calling member. The key is shown only in this result: its hash is stored. Throws
 * `forbidden` beyond the caller's own permissions, mode and expiry.
 */
export async function createApiKey(
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const { actor } = ctx
  const memberId = memberIdOf(ctx)
  if (memberId === null || !('permissions' in actor))
    throw new AppError('forbidden', 'Only a member can make API keys.')
  const permissions = body.permissions ?? actor.permissions
  const mode = body.mode ?? 'TEST'
  const beyond = permissions.find((permission) => !actor.permissions.includes(permission))
  if (beyond) throw fieldError('forbidden', 'permissions', `You can't give ${beyond}, which you don't have yourself.`)
  if (mode === 'LIVE' && actor.type === 'api_key' && actor.mode === 'TEST')
    throw fieldError('forbidden', 'mode', 'A TEST key can only make TEST keys.')
  if (body.expires_at && body.expires_at <= ctx.now())
    throw fieldError('invalid_request', 'expires_at', 'This time has passed.')
  const latest = actor.type === 'api_key' ? actor.expiresAt : null
  const expiresAt = body.expires_at ?? latest
  if (latest && expiresAt && expiresAt > latest)
    throw fieldError(
      'forbidden',
      'expires_at',
      `Your own key expires at ${latest.toISOString()}: choose no later time.`,
    )

  const { key, shortId, secretHash, serverKeyId } = newKey(mode)
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db.apiKey.create({
      data: {
        id: newId(),
        organizationId: tx.organizationId,
        memberId,
        name: body.name,
        shortId,
        secretHash: new Uint8Array(secretHash),
        serverKeyId,
        permissions: [...new Set(permissions)],
        mode,
        expiresAt,
        createdAt: tx.now(),
      },
    })
    if (mode === 'LIVE') await onProtectedChange(tx, { what: 'liveKeyMade', name: row.name })
    const shown = apiKeyOf(row)
    await recordAudit(tx, { action: 'api_key.created', subject: { type: 'api_key', id: row.id }, after: shown })
    return { ...shown, key }
  })
}
