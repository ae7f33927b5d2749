import type { z } from 'zod'
import type { organization } from '../platform/api/me.ts'
import type { Context } from '../platform/auth/context.ts'
import { columns, type RowOf } from '../db/columns.ts'
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
import { domainProofOf, shownDomainOf } from './web-domain.ts'

const COLUMNS = columns('organizations', 'Organization', [
  'id',
  'name',
  'payoutAddress',
  'embedOrigins',
  'requiresPasskeys',
  'followsOidcRoles',
  'brand',
  'termsUrl',
  'contactEmail',
  'showsVitrine',
  'locale',
  'webDomain',
  'webDomainFoundAt',
  'webDomainCheckedAt',
  'createdAt',
])
type OrganizationRow = RowOf<typeof COLUMNS>

const ORGANIZATION: Statement = {
  name: 'shown_organization',
  text: `SELECT ${COLUMNS},
      CASE WHEN payout_address IS NULL
        THEN (SELECT jsonb_agg(stopped) FROM (${STOPPED_LISTINGS}) stopped) END AS stopped
    FROM organizations WHERE id = $1::uuid`,
}

export const organizationOf = (
  { now, ports }: Pick<Context, 'now' | 'ports'>,
  row: OrganizationRow,
  warnings: PayoutWarning[],
): z.output<typeof organization> => ({
  id: row.id,
  name: row.name,
  payout_address: row.payoutAddress,
  payout_warnings: warnings,
  embed_origins: row.embedOrigins,
  requires_passkeys: row.requiresPasskeys,
  follows_oidc_roles: row.followsOidcRoles,
  brand: shownBrandOf(row, ports.addresses.origin),
  terms_url: row.termsUrl,
  contact_email: row.contactEmail,
  web_domain: row.webDomain === null ? null : webDomainOf(row, row.webDomain, now()),
  shows_vitrine: row.showsVitrine,
  locale: row.locale,
  created_at: row.createdAt,
})

const webDomainOf = (row: OrganizationRow, name: string, now: Date) => ({
  name,
  is_shown: shownDomainOf(row, now) !== null,
  found_at: row.webDomainFoundAt,
  checked_at: row.webDomainCheckedAt,
  ...domainProofOf(row.id, name),
})

/** The caller's organization; throws `not_found` for any other id. */
export async function getOrganization(ctx: Context, id = ctx.organizationId): Promise<z.output<typeof organization>> {
  if (id !== ctx.organizationId) throw notFound()
  const [row] = await ctx.rows<OrganizationRow & { stopped: StoppedListing[] | null }>(ORGANIZATION, id)
  if (!row) throw notFound()
  return organizationOf(
    ctx,
    row,
    row.payoutAddress ? await listPayoutWarnings(ctx, row.payoutAddress) : (row.stopped ?? []).map(stoppedWarningOf),
  )
}
