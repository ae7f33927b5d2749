import { type Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { exportPurchases as endpoint } from '../../platform/api/exports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { decimalOf } from '../../core/money.ts'
import { whereOf } from '../../selling/purchases/list-purchases.ts'
import { createdWithin, csvByPages, ROWS_PER_PAGE } from './by-pages.ts'
import type { Cell } from './csv.ts'
import { titlesOf } from './titles-of.ts'

const COLUMNS = [
  'id',
  'status',
  'fulfillment_status',
  'provider',
  'mode',
  'email',
  'eth_address',
  'quantity',
  'price',
  'currency',
  'platform_fee',
  'listing_id',
  'collection_id',
  'titles',
  'item_ids',
  'payment_id',
  'created_at',
  'confirmed_at',
  'completed_at',
  'refunded_at',
  'failure',
]

const COLUMNS_READ = {
  select: {
    id: true,
    status: true,
    fulfillmentStatus: true,
    provider: true,
    mode: true,
    buyerEmail: true,
    buyerAddress: true,
    quantity: true,
    total: true,
    currency: true,
    listingId: true,
    createdAt: true,
    confirmedAt: true,
    completedAt: true,
    failure: true,
    listing: { select: { collectionId: true, currencyDecimals: true } },
    units: { select: { itemId: true }, orderBy: { itemId: 'asc' } },
    payments: {
      where: { state: { not: 'CANCELLED' } },
      orderBy: { id: 'desc' },
      take: 1,
      select: { feeMinor: true, providerId: true, refundedAt: true },
    },
  },
} as const satisfies Prisma.PurchaseIntentDefaultArgs
type Row = Prisma.PurchaseIntentGetPayload<typeof COLUMNS_READ> & { titles: string }

/** Purchases with their payment and fulfilment as CSV, oldest first. */
export async function* exportPurchases(
  ctx: Context,
  { from, to, ...query }: Input<typeof endpoint>['query'],
): AsyncGenerator<string> {
  const where = { AND: [whereOf(query), createdWithin({ from, to })] }
  yield* csvByPages<Row>(COLUMNS, {
    read: async (after) => {
      const rows = await ctx.db.purchaseIntent.findMany({
        where: { AND: [where, after === null ? {} : { id: { gt: after } }] },
        orderBy: { id: 'asc' },
        take: ROWS_PER_PAGE,
        ...COLUMNS_READ,
      })
      const titles = await titlesOf(
        ctx,
        rows.flatMap(({ units }) => units.map(({ itemId }) => itemId)),
      )
      return rows.map((row) => ({ ...row, titles: row.units.map(({ itemId }) => titles.get(itemId)).join('; ') }))
    },
    key: ({ id }) => id,
    show: cellsOf,
  })
}

function cellsOf(row: Row): Cell[] {
  const { currencyDecimals: decimals, collectionId } = row.listing
  const [payment] = row.payments
  return [
    row.id,
    row.status,
    row.fulfillmentStatus,
    row.provider,
    row.mode,
    row.buyerEmail,
    row.buyerAddress,
    row.quantity,
    decimalOf(BigInt(row.total.toFixed()), decimals),
    row.currency,
    payment && decimalOf(payment.feeMinor, decimals),
    row.listingId,
    collectionId,
    row.titles,
    row.units.map(({ itemId }) => itemId).join('; '),
    payment?.providerId,
    row.createdAt,
    row.confirmedAt,
    row.completedAt,
    payment?.refundedAt,
    row.failure,
  ]
}
