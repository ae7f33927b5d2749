import type { Context } from '../../platform/auth/context.ts'
import type { Total } from '../../core/page.ts'
import type { Statement } from '../../db/statements.ts'

/** Above it, a total that no counter knows is an estimate. */
export const COUNTED_EXACTLY = 10_000

/** The tables that estimates are made for, and what the rows of a sample are recognised by. */
const KEYS = {
  items: 'id',
  email_claims: 'id',
  purchase_intents: 'id',
  mint_requests: 'id',
  webhook_deliveries: 'id',
  audit_entries: 'id',
  media_files: 'id',
  suppressions: 'id',
  collections: 'id',
  item_types: 'id',
  campaigns: 'id',
  imports: 'id',
  snapshots: 'id',
  members: 'id',
  api_keys: 'id',
  webhooks: 'id',
  holds: 'id',
  listings: 'id',
  vouchers: 'id',
  item_history: 'id',
  listing_allowances: 'identity',
  item_owners: 'item_id',
} as const
type SampledTable = keyof typeof KEYS

/** How many pages of the table and how many of their rows a sample has at most. */
const PAGES = 300
const ROWS = 2_000

const sampleOf = (table: SampledTable): Statement => ({
  name: `sample_${table}`,
  text: `SELECT s.key, s.found / share AS rows
    FROM (SELECT least(1, ${PAGES}::float8 / greatest(relpages, 1)) AS share FROM pg_class WHERE oid = '${table}'::regclass) size,
      LATERAL (SELECT ${KEYS[table]}::text AS key, count(*) OVER () AS found FROM ${table} TABLESAMPLE SYSTEM (100 * share) REPEATABLE (1)) s
    ORDER BY hashtext(s.key) LIMIT ${ROWS}`,
})

/** Some of the rows that the caller can read, by their keys, and how many there are for each of them. */
async function readSample(ctx: Pick<Context, 'rows'>, table: SampledTable): Promise<{ keys: string[]; each: number }> {
  const sample = await ctx.rows<{ key: string; rows: number }>(sampleOf(table))
  return { keys: sample.map(({ key }) => key), each: sample.length > 0 ? sample[0]!.rows / sample.length : 0 }
}

/**
 * The total of a list whose filters no counter knows: exact up to 10,000, above that estimated from a sample of the table. `count` counts
 * what matches, up to `most`; `countAmong` does it among rows of these keys.
 */
export async function totalOf(
  ctx: Pick<Context, 'rows'>,
  table: SampledTable,
  count: (most: number) => Promise<number>,
  countAmong: (keys: string[]) => Promise<number> | number,
): Promise<Total> {
  const counted = await count(COUNTED_EXACTLY + 1)
  if (counted <= COUNTED_EXACTLY) return { total: counted, isEstimate: false }
  const { keys, each } = await readSample(ctx, table)
  const estimate = Math.round((await countAmong(keys)) * each)
  return { total: Math.max(estimate, counted), isEstimate: true }
}

/** The same for a list that Prisma reads: `count` is the one of its model. */
export const totalById = <Where>(
  ctx: Context,
  table: SampledTable,
  where: Where,
  count: (args: { where: { AND: (Where | { id: { in: string[] } })[] }; take?: number }) => Promise<number>,
): Promise<Total> =>
  totalOf(
    ctx,
    table,
    (take) => count({ where: { AND: [where] }, take }),
    (ids) => count({ where: { AND: [where, { id: { in: ids } }] } }),
  )
