import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'
import { type FlatClaim, SHOWN_CLAIM_COLUMNS, type ShownClaim, shownClaimOf, shownClaimsFrom } from './shown-claim.ts'

/** Without a name it is planned for the organization that asks, which may have few claims or very many. */
const CLAIMS: Statement = {
  name: '',
  text: `SELECT ${SHOWN_CLAIM_COLUMNS} FROM ${shownClaimsFrom('$2::uuid[]')}
    WHERE e.organization_id = $1::uuid AND e.id = ANY ($2::uuid[])`,
}

/**
 * Claims of an organization by their ids, in this order, with all that is shown of them, in one statement. Ids that
 * aren't found are missing.
 */
export async function findClaims(ctx: Context, ids: readonly string[]): Promise<ShownClaim[]> {
  if (ids.length === 0) return []
  const rows = await ctx.rows<FlatClaim>(CLAIMS, ctx.organizationId, ids)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? [shownClaimOf(row)] : []
  })
}
