import type { Input } from '../../platform/api/endpoint.ts'
import type { exportEmailClaims as endpoint } from '../../platform/api/exports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { whereOf } from '../../giving/claim-filters.ts'
import { type ClaimRow, inFull } from '../../giving/read-claim.ts'
import { emailClaimOf } from '../../giving/show-claim.ts'
import { type Attributes, titleOf } from '../../catalog/items/show-item.ts'
import { createdWithin, csvByPages, ROWS_PER_PAGE } from './by-pages.ts'
import type { Cell } from './csv.ts'

const COLUMNS = [
  'id',
  'email',
  'quantity',
  'item_id',
  'token_id',
  'title',
  'collection_id',
  'state',
  'tx_payer',
  'campaign_id',
  'campaign',
  'created_at',
  'expiration',
  'opened_at',
  'redeemed_at',
  'delivered_at',
  'to_address',
  'delivery',
  'tx_hash',
]

/** Email claims with their state and delivery as CSV, oldest first. */
export async function* exportClaims(
  ctx: Context,
  { from, to, ...query }: Input<typeof endpoint>['query'],
): AsyncGenerator<string> {
  const where = { AND: [whereOf(query, ctx.now()), createdWithin({ from, to })] }
  yield* csvByPages<ClaimRow>(COLUMNS, {
    read: (after) =>
      ctx.db.emailClaim.findMany({
        where: { AND: [where, after === null ? {} : { id: { gt: after } }] },
        orderBy: { id: 'asc' },
        take: ROWS_PER_PAGE,
        ...inFull,
      }),
    key: ({ id }) => id,
    show: (row) => cellsOf(ctx, row),
  })
}

function cellsOf(ctx: Context, row: ClaimRow): Cell[] {
  const claim = emailClaimOf(ctx, row)
  const state = claim.inactive_reason ?? 'ACTIVE'
  return [
    claim.id,
    claim.email,
    claim.quantity,
    claim.item_id,
    claim.token_id,
    titleOf(row.item.attributes as Attributes),
    claim.collection_id,
    state,
    claim.tx_payer,
    claim.campaign_id,
    row.campaign?.name,
    claim.created_at,
    claim.expiration,
    claim.opened_at,
    claim.redeemed_at,
    claim.delivered_at,
    claim.to_address,
    claim.delivery.state,
    claim.tx_hash,
  ]
}
