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

const VIEW: Statement = {
  name: 'claim_view',
  text: `SELECT ${SHOWN_CLAIM_COLUMNS}, ${CLAIM_ITEM_COLUMNS},
      (SELECT d.tx_hash FROM transactions d WHERE d.organization_id = e.organization_id AND d.id = c.deployment_transaction_id) AS "deployTxHash",
      is_suspended(e.organization_id, e.collection_id) AS suspended,
      EXISTS (SELECT 1 FROM listings l WHERE l.organization_id = e.organization_id AND l.item_id = e.item_id
        AND l.status IN ('ACTIVE', 'SCHEDULED')) AS "isListed"
    FROM ${SHOWN_CLAIM_FROM} WHERE e.id = $1::uuid AND e.organization_id = $2::uuid`,
}

type Row = FlatClaim & FlatClaimItem & { deployTxHash: string | null; suspended: boolean; isListed: boolean }

/** What a link redeems, and how far the delivery is. Reading changes nothing: mail scanners open every link. */
export async function getClaimView(ctx: Context) {
  const { id, generation } = linkOf(ctx)
  const [row] = await ctx.rows<Row>(VIEW, id, ctx.organizationId)
  if (!row) throw notFound()
  return claimViewOf(ctx, shownClaimOf(row), {
    generation,
    item: claimItemRowOf(row),
    deployTxHash: row.deployTxHash,
    suspended: row.suspended,
    listing: row.isListed && !row.suspended ? await activeListingOf(ctx, row.itemId) : null,
  })
}
