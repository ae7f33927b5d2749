import type { z } from 'zod'
import type { Organization } from '../../generated/prisma/client.ts'
import type { organization } from '../platform/api/me.ts'
import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'
import { notFound } from '../core/errors.ts'
import { shownBrandOf } from './brand.ts'
import {
  listPayoutWarnings,
  type PayoutWarning,
  STOPPED_LISTINGS,
  type StoppedListing,
  stoppedWarningOf,
} from './payout-warnings.ts'

type OrganizationRow = Pick<
  Organization,
  'id' | 'name' | 'payoutAddress' | 'embedOrigins' | 'requiresPasskeys' | 'followsOidcRoles' | 'brand' | 'createdAt'
>

const ORGANIZATION: Statement = {
  name: 'shown_organization',
  text: `SELECT id, name, payout_address AS "payoutAddress", embed_origins AS "embedOrigins", requires_passkeys AS "requiresPasskeys",
      follows_oidc_roles AS "followsOidcRoles", brand, created_at AS "createdAt",
      CASE WHEN payout_address IS NULL THEN (SELECT jsonb_agg(stopped) FROM (${STOPPED_LISTINGS}) stopped) END AS stopped
    FROM organizations WHERE id = $1::uuid`,
}

export const organizationOf = (
  row: OrganizationRow,
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
  const [row] = await ctx.rows<OrganizationRow & { stopped: StoppedListing[] | null }>(ORGANIZATION, id)
  if (!row) throw notFound()
  return organizationOf(
    row,
    row.payoutAddress ? await listPayoutWarnings(ctx, row.payoutAddress) : (row.stopped ?? []).map(stoppedWarningOf),
    ctx.ports.addresses.origin,
  )
}
