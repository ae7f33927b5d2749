import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import type { Statement } from '../db/statements.ts'
import { activeListingOf } from '../offers/listings/active-listing.ts'
import { linkOf } from './current-claim.ts'
import {
  CLAIM_ITEM_COLUMNS,
  claimItemRowOf,
  type FlatClaim,
  type FlatClaimItem,
  SHOWN_CLAIM_COLUMNS,
  SHOWN_CLAIM_FROM,
  shownClaimOf,
} from './shown-claim.ts'
import { claimViewOf } from './show-claim.ts'

/** The columns of all that a link shows except the listing, of the tables in `SHOWN_CLAIM_FROM`. */
export const CLAIM_VIEW_COLUMNS = `${SHOWN_CLAIM_COLUMNS}, ${CLAIM_ITEM_COLUMNS},
  (SELECT d.tx_hash FROM transactions d
    WHERE d.organization_id = e.organization_id AND d.id = c.deployment_transaction_id) AS "deployTxHash",
  is_suspended(e.organization_id, e.collection_id) AS suspended`

const VIEW: Statement = {
  name: 'claim_view',
  text: `SELECT ${CLAIM_VIEW_COLUMNS} FROM ${SHOWN_CLAIM_FROM} WHERE e.id = $1::uuid AND e.organization_id = $2::uuid`,
}

export type ClaimViewRow = FlatClaim & FlatClaimItem & { deployTxHash: string | null; suspended: boolean }

/**
 * The view of a claim for its link: the item that it redeems, and the state of the delivery. Reading changes nothing:
 * mail scanners open every link.
 */
export async function getClaimView(ctx: Context) {
  const { id, generation } = linkOf(ctx)
  const [row] = await ctx.rows<ClaimViewRow>(VIEW, id, ctx.organizationId)
  if (!row) throw notFound()
  return viewOf(ctx, row, generation, await activeListingOf(ctx, row.itemId))
}

export const viewOf = (
  ctx: Pick<Context, 'ports' | 'now'>,
  row: ClaimViewRow,
  generation: number,
  listing: Awaited<ReturnType<typeof activeListingOf>>,
) =>
  claimViewOf(ctx, shownClaimOf(row), {
    generation,
    item: claimItemRowOf(row),
    deployTxHash: row.deployTxHash,
    suspended: row.suspended,
    listing,
  })
