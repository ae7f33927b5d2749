import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { apiKeyOf } from './show-api-key.ts'

/** An API key without its secret. Throws `not_found`, also for a revoked one. */
export async function getApiKey(ctx: Context, id: string) {
  const row = await ctx.db.apiKey.findFirst({ where: { id, revokedAt: null } })
  if (!row) throw notFound()
  return apiKeyOf(row)
}
