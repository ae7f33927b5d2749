import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { exportEmailClaims as endpoint } from '../../platform/api/exports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { whereOf } from '../../giving/claim-filters.ts'
import { deliveryOf, inactiveReasonOf } from '../../giving/claim-state.ts'
import { createdWithin, csvByPages, ROWS_PER_PAGE } from './by-pages.ts'
import type { Cell } from './csv.ts'
import { titlesOf } from './titles-of.ts'

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

const COLUMNS_READ = {
  select: {
    id: true,
    email: true,
    quantity: true,
    itemId: true,
    collectionId: true,
    state: true,
    generation: true,
    txPayer: true,
    createdAt: true,
    expiresAt: true,
    openedAt: true,
    redeemedAt: true,
    claimedAt: true,
    toAddress: true,
    item: { select: { tokenId: true } },
    campaign: { select: { id: true, name: true } },
    mintRequests: {
      orderBy: { id: 'desc' },
      take: 1,
      select: { state: true, txHash: true, failure: true, transaction: { select: { txHash: true } } },
    },
    vouchers: { orderBy: { id: 'desc' }, take: 1, select: { state: true, txHash: true } },
  },
} as const satisfies Prisma.EmailClaimDefaultArgs
type Row = Prisma.EmailClaimGetPayload<typeof COLUMNS_READ> & { title: string | undefined }

/** Email claims with their state and delivery as CSV, oldest first. */
export async function* exportClaims(
  ctx: Context,
  { from, to, ...query }: Input<typeof endpoint>['query'],
): AsyncGenerator<string> {
  const where = { AND: [whereOf(query, ctx.now()), createdWithin({ from, to })] }
  yield* csvByPages<Row>(COLUMNS, {
    read: async (after) => {
      const rows = await ctx.db.emailClaim.findMany({
        where: { AND: [where, after === null ? {} : { id: { gt: after } }] },
        orderBy: { id: 'asc' },
        take: ROWS_PER_PAGE,
        ...COLUMNS_READ,
      })
      const titles = await titlesOf(
        ctx,
        rows.map(({ itemId }) => itemId),
      )
      return rows.map((row) => ({ ...row, title: titles.get(row.itemId) }))
    },
    key: ({ id }) => id,
    show: (row) => cellsOf(row, ctx.now()),
  })
}

function cellsOf(row: Row, now: Date): Cell[] {
  const { tokenId } = row.item
  const place = { networkId: null, tokenId, network: undefined }
  const delivery = deliveryOf(place, row.mintRequests[0], row.vouchers[0])
  return [
    row.id,
    row.email,
    row.quantity,
    row.itemId,
    tokenId,
    row.title,
    row.collectionId,
    inactiveReasonOf(row, now) ?? 'ACTIVE',
    row.txPayer,
    row.campaign?.id,
    row.campaign?.name,
    row.createdAt,
    row.expiresAt,
    row.openedAt,
    row.redeemedAt,
    row.claimedAt,
    row.toAddress,
    delivery.state,
    delivery.tx_hash,
  ]
}
