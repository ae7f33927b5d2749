import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

/**
 * The tables whose rows are counted by triggers, each with what lists filter by, in the order of the migration that
 * counts them.
 */
const TRAITS = {
  items: ['locked', 'tokenStatus'],
  email_claims: ['campaignId', 'state'],
  purchase_intents: ['status', 'fulfillmentStatus', 'fulfillmentMethod', 'provider'],
  mint_requests: [],
  transactions: ['state', 'txType', 'networkId'],
  webhook_deliveries: ['state', 'eventType'],
  audit_entries: ['actorType', 'actorId', 'action', 'subjectType'],
  media_files: ['pinning'],
  suppressions: ['reason'],
  listings: ['status'],
  listing_allowances: [],
  import_rows: ['verdict', 'state'],
} as const satisfies Record<string, readonly string[]>

type CountedTable = keyof typeof TRAITS
type CountedFilter<T extends CountedTable> = {
  table: T
  /**
   * The collection, listing, webhook or import that the rows are listed under. Purchases are listed under their
   * listing.
   */
  parentId?: string | null | undefined
  /** Purchases alone: the collection of their listing. */
  collectionId?: string | null | undefined
  /** Each: one of these values. The action of an audit entry is given by its beginning. */
  traits?: { [name in (typeof TRAITS)[T][number]]?: string | readonly string[] | null | undefined }
}

const BEGINNINGS = 'action'

const statementOf = (table: CountedTable): Statement => {
  const traits = TRAITS[table].map((name, at) =>
    name === BEGINNINGS
      ? ` AND ($${at + 4}::text[] IS NULL OR starts_with(traits[${at + 1}], ($${at + 4}::text[])[1]))`
      : ` AND ($${at + 4}::text[] IS NULL OR traits[${at + 1}] = ANY ($${at + 4}::text[]))`,
  )
  return {
    name: `count_${table}`,
    text: `SELECT coalesce(sum(amount), 0)::bigint AS total FROM row_counts
      WHERE table_name = '${table}' AND organization_id = $1::uuid AND ($2::uuid IS NULL OR parent_id = $2::uuid)
      AND ($3::uuid IS NULL
        OR parent_id IN (SELECT l.id FROM listings l WHERE l.collection_id = $3::uuid))${traits.join('')}`,
  }
}

const STATEMENTS = Object.fromEntries(
  (Object.keys(TRAITS) as CountedTable[]).map((table) => [table, statementOf(table)]),
) as Record<CountedTable, Statement>

/** How many rows of an organization's table match, exactly, without reading them. */
export async function countRows<T extends CountedTable>(ctx: Context, filter: CountedFilter<T>): Promise<number> {
  const wanted = (filter.traits ?? {}) as Record<string, string | readonly string[] | null | undefined>
  const [row] = await ctx.rows<{ total: bigint }>(
    STATEMENTS[filter.table],
    ctx.organizationId,
    filter.parentId || null,
    filter.collectionId || null,
    ...TRAITS[filter.table].map((name) => {
      const values = wanted[name]
      return values == null || values === '' ? null : [values].flat()
    }),
  )
  return Number(row!.total)
}

const BY_PARENT: Statement = {
  name: 'count_rows_by_parent',
  text: `SELECT parent_id::text AS "parentId", sum(amount)::bigint AS total FROM row_counts
    WHERE organization_id = $1::uuid AND table_name = $2::text AND parent_id = ANY ($3::uuid[])
      AND traits[$4::int] = $5::text GROUP BY parent_id`,
}

/**
 * How many rows with one value of a trait each of several parents has, in one statement. A parent without one may be
 * missing.
 */
export async function countRowsByParent<T extends CountedTable>(
  ctx: Pick<Context, 'rows' | 'organizationId'>,
  {
    table,
    parentIds,
    trait,
    value,
  }: { table: T; parentIds: string[]; trait: (typeof TRAITS)[T][number]; value: string },
): Promise<Map<string, number>> {
  const place = (TRAITS[table] as readonly string[]).indexOf(trait) + 1
  const rows = await ctx.rows<{ parentId: string; total: bigint }>(
    BY_PARENT,
    ctx.organizationId,
    table,
    parentIds,
    place,
    value,
  )
  return new Map(rows.map(({ parentId, total }) => [parentId, Number(total)]))
}
