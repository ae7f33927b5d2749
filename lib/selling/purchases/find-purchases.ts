import { Prisma } from '../../../generated/prisma/client.ts'
import { columns } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { ListedPurchase } from './show-purchase.ts'
import { happeningOf, MAX_ENTRIES, SHOWN_ACTIONS } from './timeline.ts'

export type FoundPurchase = { row: ListedPurchase; timeline: ReturnType<typeof happeningOf>[] }

const objectOf = (fields: Record<string, string>): string =>
  `jsonb_build_object(${Object.entries(fields)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ')})`

/** Rows as JSON arrays, one for each value of `key`, as a table of `key` and `list`. */
const listsOf = (key: string, fields: Record<string, string>, from: string, order: string): string =>
  `SELECT ${key} AS key, jsonb_agg(${objectOf(fields)} ORDER BY ${order}) AS list FROM ${from} GROUP BY 1`

const mintsOf = (column: string, ids: string): string =>
  listsOf(
    `m.${column}`,
    {
      id: 'm.id',
      itemId: 'm.item_id',
      state: 'm.state',
      txHash: 'm.tx_hash',
      failure: 'm.failure',
      transaction: objectOf({ txHash: 't.tx_hash' }),
    },
    `mint_requests m JOIN transactions t ON t.id = m.transaction_id WHERE m.${column} = ANY (${ids})`,
    'm.id DESC',
  )
const vouchersOf = (column: string, ids: string): string =>
  listsOf(
    `v.${column}`,
    { id: 'v.id', itemId: 'v.item_id', state: 'v.state', txHash: 'v.tx_hash' },
    `vouchers v WHERE v.${column} = ANY (${ids})`,
    'v.id DESC',
  )

const IDS = '$2::uuid[]'
const CLAIM_IDS = 'ARRAY(SELECT id FROM claims)'

/**
 * The lists of rows that belong to the purchases, one for each table. Amounts are sent as text: JSON has no numbers of
 * their size.
 */
const LISTS = {
  units: listsOf(
    'u.intent_id',
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
    `purchase_units u JOIN items i ON i.id = u.item_id JOIN collections c ON c.id = i.collection_id
      WHERE u.intent_id = ANY (${IDS})`,
    'u.item_id',
  ),
  payments: listsOf(
    'y.intent_id',
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
    `payments y WHERE y.intent_id = ANY (${IDS}) AND y.state <> 'CANCELLED'`,
    'y.id DESC',
  ),
  claims: listsOf(
    'k.purchase_intent_id',
    {
      id: 'k.id',
      itemId: 'k.item_id',
      mintRequests: "coalesce(n.list, '[]')",
      vouchers: "coalesce(w.list, '[]')",
    },
    'claims k LEFT JOIN claim_mints n ON n.key = k.id LEFT JOIN claim_vouchers w ON w.key = k.id',
    'k.id DESC',
  ),
  mintRequests: mintsOf('purchase_intent_id', IDS),
  vouchers: vouchersOf('purchase_intent_id', IDS),
  happenings: listsOf(
    'e.subject_id::uuid',
    { at: 'e.created_at', after: 'e.after' },
    `(SELECT id, subject_id, created_at, after, row_number() OVER (PARTITION BY subject_id ORDER BY id) AS place
      FROM audit_entries
        WHERE organization_id = $1::uuid AND subject_type = 'purchase_intent' AND subject_id = ANY (${IDS}::text[])
          AND action IN (${SHOWN_ACTIONS.map((action) => `'${action}'`).join(', ')})) e
        WHERE e.place <= ${MAX_ENTRIES}`,
    'e.id',
  ),
}

const OWN_COLUMNS = columns('p', 'PurchaseIntent', [
  'id',
  'organizationId',
  'listingId',
  'mode',
  'provider',
  'status',
  'fulfillmentStatus',
  'fulfillmentMethod',
  'quantity',
  'refundedQuantity',
  'currency',
  'buyerEmail',
  'buyerAddress',
  'origin',
  'locale',
  'failure',
  'expiresAt',
  'createdAt',
  'confirmedAt',
  'completedAt',
])

/** Each table is asked once for all purchases, whose rows lie beside one another in its index. */
const textOf = (more: string) => `WITH claims AS MATERIALIZED (SELECT id, item_id, purchase_intent_id FROM email_claims
      WHERE purchase_intent_id = ANY (${IDS})),
      claim_mints AS (${mintsOf('claim_id', CLAIM_IDS)}), claim_vouchers AS (${vouchersOf('claim_id', CLAIM_IDS)})
    SELECT ${OWN_COLUMNS}, p.total::text AS total,
      ${objectOf({ collectionId: 'l.collection_id', currencyDecimals: 'l.currency_decimals' })} AS listing,
      ${Object.keys(LISTS)
        .map((name) => `coalesce("${name}".list, '[]') AS "${name}"`)
        .join(', ')}${more}
    FROM purchase_intents p JOIN listings l ON l.id = p.listing_id
      ${Object.entries(LISTS)
        .map(([name, lists]) => `LEFT JOIN (${lists}) "${name}" ON "${name}".key = p.id`)
        .join('\n      ')}
    WHERE p.organization_id = $1::uuid AND p.id = ANY (${IDS})`

/**
 * Without a name it is planned for the organization that asks: where that is small, its rows are few, and reading them
 * all would look as good as keys.
 */
const PURCHASES: Statement = { name: '', text: textOf('') }
/** One purchase, which its buyer asks for again and again. */
const PURCHASE: Statement = {
  name: 'purchase_in_full',
  text: textOf(', is_suspended(l.organization_id, l.collection_id) AS suspended'),
}

/** A type as JSON gives its values: amounts come as decimal text, times as ISO 8601. */
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

/**
 * Purchases of an organization by their ids, with all that is shown of them, in one statement. Ids that aren't found
 * are missing.
 */
export async function findPurchases(ctx: Context, ids: readonly string[]): Promise<FoundPurchase[]> {
  if (ids.length === 0) return []
  const rows = await ctx.rows<Row>(PURCHASES, ctx.organizationId, ids)
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = found.get(id)
    return row ? [foundOf(row)] : []
  })
}

/**
 * A purchase by its id, and whether its collection or organization is suspended. null: the organization has no such
 * purchase.
 */
export async function findPurchase(ctx: Context, id: string): Promise<(FoundPurchase & { suspended: boolean }) | null> {
  const [row] = await ctx.rows<Row & { suspended: boolean }>(PURCHASE, ctx.organizationId, [id])
  return row ? { ...foundOf(row), suspended: row.suspended } : null
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
