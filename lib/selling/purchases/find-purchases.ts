import { Prisma } from '../../../generated/prisma/client.ts'
import type { Statement } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { ListedPurchase } from './show-purchase.ts'
import { happeningOf, MAX_ENTRIES, SHOWN_ACTIONS } from './timeline.ts'

export type FoundPurchase = { row: ListedPurchase; timeline: ReturnType<typeof happeningOf>[] }

/** Rows as a JSON array, the newest first unless `order` says otherwise. */
const listOf = (fields: Record<string, string>, from: string, order: string): string =>
  `(SELECT coalesce(jsonb_agg(${objectOf(fields)} ORDER BY ${order}), '[]') FROM ${from})`
const objectOf = (fields: Record<string, string>): string =>
  `jsonb_build_object(${Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ')})`

const mintsOf = (column: string, id: string): string =>
  listOf(
    {
      id: 'm.id',
      itemId: 'm.item_id',
      state: 'm.state',
      txHash: 'm.tx_hash',
      failure: 'm.failure',
      transaction: objectOf({ txHash: 't.tx_hash' }),
    },
    `mint_requests m JOIN transactions t ON t.id = m.transaction_id WHERE m.${column} = ${id}`,
    'm.id DESC',
  )
const vouchersOf = (column: string, id: string): string =>
  listOf(
    { id: 'v.id', itemId: 'v.item_id', state: 'v.state', txHash: 'v.tx_hash' },
    `vouchers v WHERE v.${column} = ${id}`,
    'v.id DESC',
  )

/** Amounts are sent as text: JSON has no numbers of their size. */
const UNITS = listOf(
  {
    itemId: 'u.item_id',
    quantity: 'u.quantity::text',
    item: objectOf({
      id: 'i.id',
      tokenId: 'i.token_id',
      attributes: 'i.attributes',
      imageSource: 'i.image_source',
      imageCid: 'i.image_cid',
      imageFile: 'i.image_file',
      collection: objectOf({
        networkId: 'c.network_id',
        name: 'c.name',
        revealStrategy: 'c.reveal_strategy',
        revealedAt: 'c.revealed_at',
        previewMetadata: 'c.preview_metadata',
      }),
    }),
  },
  'purchase_units u JOIN items i ON i.id = u.item_id JOIN collections c ON c.id = i.collection_id WHERE u.intent_id = p.id',
  'u.item_id',
)
const PAYMENTS = listOf(
  {
    id: 'y.id',
    state: 'y.state',
    amountMinor: 'y.amount_minor::text',
    refundedMinor: 'y.refunded_minor::text',
    feeMinor: 'y.fee_minor::text',
    currency: 'y.currency',
    providerId: 'y.provider_id',
    failure: 'y.failure',
    paidAt: 'y.paid_at',
    refundedAt: 'y.refunded_at',
  },
  `payments y WHERE y.intent_id = p.id AND y.state <> 'CANCELLED'`,
  'y.id DESC',
)
const CLAIMS = listOf(
  {
    id: 'k.id',
    itemId: 'k.item_id',
    mintRequests: mintsOf('claim_id', 'k.id'),
    vouchers: vouchersOf('claim_id', 'k.id'),
  },
  'email_claims k WHERE k.purchase_intent_id = p.id',
  'k.id DESC',
)
const HAPPENINGS = listOf(
  { at: 'e.created_at', after: 'e.after' },
  `(SELECT id, created_at, after FROM audit_entries WHERE organization_id = p.organization_id AND subject_type = 'purchase_intent'
      AND subject_id = p.id::text AND action IN (${SHOWN_ACTIONS.map((action) => `'${action}'`).join(', ')}) ORDER BY id LIMIT ${MAX_ENTRIES}) e`,
  'e.id',
)

/** Without a name it is planned for the organization that asks: where that is small, its rows are few, and reading them all would look as good as keys. */
const PURCHASES: Statement = {
  name: '',
  text: `SELECT p.id, p.organization_id AS "organizationId", p.listing_id AS "listingId", p.mode::text AS mode, p.provider::text AS provider,
      p.status::text AS status, p.fulfillment_status::text AS "fulfillmentStatus", p.fulfillment_method::text AS "fulfillmentMethod",
      p.quantity, p.refunded_quantity AS "refundedQuantity", p.total::text AS total, p.currency, p.buyer_email AS "buyerEmail",
      p.buyer_address AS "buyerAddress", p.origin, p.failure, p.expires_at AS "expiresAt", p.created_at AS "createdAt",
      p.confirmed_at AS "confirmedAt", p.completed_at AS "completedAt",
      ${objectOf({ collectionId: 'l.collection_id', currencyDecimals: 'l.currency_decimals' })} AS listing,
      ${UNITS} AS units, ${PAYMENTS} AS payments, ${CLAIMS} AS claims, ${mintsOf('purchase_intent_id', 'p.id')} AS "mintRequests",
      ${vouchersOf('purchase_intent_id', 'p.id')} AS vouchers, ${HAPPENINGS} AS happenings
    FROM purchase_intents p JOIN listings l ON l.id = p.listing_id
    WHERE p.organization_id = $1::uuid AND p.id = ANY ($2::uuid[])`,
}

/** What JSON can't say: amounts come as decimal text, times as ISO 8601. */
type Json<T> = T extends bigint
  ? string
  : T extends Date
    ? string
    : T extends readonly (infer E)[]
      ? Json<E>[]
      : T extends object
        ? { [K in keyof T]: Json<T[K]> }
        : T
type Nested = 'units' | 'payments'
type Row = Omit<ListedPurchase, Nested | 'total'> & {
  total: string
  units: Json<ListedPurchase['units']>
  payments: Json<ListedPurchase['payments']>
  happenings: { at: string; after: unknown }[]
}

/** Purchases of an organization by their ids, with all that is shown of them, in one statement. Ids that aren't found are missing. */
export async function findPurchases(ctx: Context, ids: readonly string[]): Promise<FoundPurchase[]> {
  if (ids.length === 0) return []
  const rows = await ctx.rows<Row>(PURCHASES, ctx.organizationId, ids)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? [foundOf(row)] : []
  })
}

const foundOf = ({ happenings, ...row }: Row): FoundPurchase => ({
  row: {
    ...row,
    total: new Prisma.Decimal(row.total),
    units: row.units.map(({ itemId, quantity, item }) => ({
      itemId,
      quantity: BigInt(quantity),
      item: { ...item, collection: { ...item.collection, revealedAt: dateOf(item.collection.revealedAt) } },
    })),
    payments: row.payments.map((payment) => ({
      ...payment,
      amountMinor: BigInt(payment.amountMinor),
      refundedMinor: BigInt(payment.refundedMinor),
      feeMinor: BigInt(payment.feeMinor),
      paidAt: dateOf(payment.paidAt),
      refundedAt: dateOf(payment.refundedAt),
    })),
  },
  timeline: happenings.map(({ at, after }) => happeningOf({ createdAt: new Date(at), after })),
})

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
