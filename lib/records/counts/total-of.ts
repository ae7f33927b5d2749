import type { Context } from '../../platform/auth/context.ts'
import type { Total } from '../../core/page.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Statement, Value } from '../../db/statements.ts'

/** Above it, a total that no counter knows is an estimate. */
export const COUNTED_EXACTLY = 10_000

/** The tables whose lists are asked by the keys of a sample, and what its rows are recognised by. */
const KEYS = {
  items: 'id',
  webhook_deliveries: 'id',
  audit_entries: 'id',
  media_files: 'id',
  suppressions: 'id',
  collections: 'id',
  imports: 'id',
  listings: 'id',
  perks: 'id',
  vouchers: 'id',
  listing_allowances: 'identity',
} as const
type SampledTable = keyof typeof KEYS

/** How many pages of the table and how many of their rows a sample has at most. */
const PAGES = 300
const ROWS = 2_000

const shareOf = (table: string): string =>
  `(SELECT least(1, ${PAGES}::float8 / greatest(relpages, 1)) AS share FROM pg_class
    WHERE oid = '${table}'::regclass) size`
const SAMPLED = 'TABLESAMPLE SYSTEM (100 * share) REPEATABLE (1)'

const sampleOf = (table: SampledTable): Statement => ({
  name: `sample_${table}`,
  text: `SELECT s.key, s.found / share AS rows
    FROM ${shareOf(table)},
      LATERAL (SELECT ${KEYS[table]}::text AS key, count(*) OVER () AS found FROM ${table} ${SAMPLED}) s
    ORDER BY hashtext(s.key) LIMIT ${ROWS}`,
})

/** Some of the rows that the caller can read, by their keys, and how many there are for each of them. */
async function readSample(ctx: Pick<Context, 'rows'>, table: SampledTable): Promise<{ keys: string[]; each: number }> {
  const sample = await ctx.rows<{ key: string; rows: number }>(sampleOf(table))
  return { keys: sample.map(({ key }) => key), each: sample.length > 0 ? sample[0]!.rows / sample.length : 0 }
}

/**
 * The total of a list whose filters no counter knows: exact up to 10,000, above that estimated from a sample of the
 * table. `count` counts what matches, up to `most`; `countAmong` does it among rows of these keys.
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

/** The total of a list that Prisma reads, exact or estimated as by `totalOf`. `count` is the one of its model. */
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

/**
 * The total of a list whose conditions are SQL, exact or estimated as by `totalOf`. All rows of the sample are asked,
 * without looking for them by their keys.
 */
export async function totalWhere(
  ctx: Pick<Context, 'rows'>,
  table: 'email_claims' | 'holds' | 'mint_requests' | 'purchase_intents' | 'purchase_units',
  conditions: Prisma.Sql[],
): Promise<Total> {
  const from = Prisma.raw(table)
  const where = Prisma.join(conditions, ' AND ')
  // Without a name they are planned for their values.
  const ask = async ({ text, values }: Prisma.Sql) =>
    (await ctx.rows<{ total: number }>({ name: '', text }, ...(values as Value[])))[0]!.total
  const most = COUNTED_EXACTLY + 1
  const counted = await ask(
    Prisma.sql`SELECT count(*)::int AS total FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${most}) found`,
  )
  if (counted < most) return { total: counted, isEstimate: false }
  const estimate = await ask(
    Prisma.sql`SELECT coalesce(sum(1 / share), 0)::float8 AS total
      FROM ${Prisma.raw(shareOf(table))},
        LATERAL (SELECT * FROM ${from} ${Prisma.raw(SAMPLED)}) ${from} WHERE ${where}`,
  )
  return { total: Math.max(Math.round(estimate), counted), isEstimate: true }
}
