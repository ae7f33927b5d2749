import type { z } from 'zod'
import type { Organization } from '../../generated/prisma/client.ts'
import type { organization } from '../platform/api/me.ts'
import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import { shownBrandOf } from './brand.ts'
import { listPayoutWarnings, type PayoutWarning } from './payout-warnings.ts'

export const organizationOf = (
  row: Organization,
  warnings: PayoutWarning[],
  origin: string,
): z.output<typeof organization> => ({
  id: row.id,
  name: row.name,
  payout_address: row.payoutAddress,
  payout_warnings: warnings,
  embed_origins: row.embedOrigins,
  requires_passkeys: row.requiresPasskeys,
  follows_oidc_roles: row.followsOidcRoles,
  brand: shownBrandOf(row, origin),
  created_at: row.createdAt,
})

/** The caller's organization; throws `not_found` for any other id. */
export async function getOrganization(ctx: Context, id = ctx.organizationId): Promise<z.output<typeof organization>> {
  if (id !== ctx.organizationId) throw notFound()
  const row = await ctx.db.organization.findFirst({ where: { id } })
  if (!row) throw notFound()
  return organizationOf(
    row,
    row.payoutAddress ? await listPayoutWarnings(ctx, row.payoutAddress) : [],
    ctx.ports.addresses.origin,
  )
}
