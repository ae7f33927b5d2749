import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listAllowances as endpoint } from '../../platform/api/allow-lists.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement, Value } from '../../db/statements.ts'
import { escapeLike } from '../../core/escape-like.ts'
import type { Total } from '../../core/page.ts'
import { type LongRange, paginate } from '../../core/paginate.ts'
import { totalOf } from '../../records/counts/total-of.ts'
import { allowanceOfKey, keyOfAllowance } from './allowance-key.ts'
import { countAllowances } from './count-allowances.ts'

const ALLOWANCE = columns('a', 'ListingAllowance', ['kind', 'identity', 'createdAt'])
type Allowance = RowOf<typeof ALLOWANCE>

const LISTING: Statement = {
  name: 'listing_of_allowances',
  text: 'SELECT 1 FROM listings WHERE organization_id = $1::uuid AND id = $2::uuid',
}

/** A listing's allow list: addresses, then emails, each in alphabetical order. */
export async function listAllowances(ctx: Context, listingId: string, query: Input<typeof endpoint>['query']) {
  const [listing] = await ctx.rows(LISTING, ctx.organizationId, listingId)
  if (!listing) throw notFound()
  const { search } = query
  return paginate(query, {
    list: ['allowances', ctx.organizationId, listingId],
    key: keyOfAllowance,
    findLong: async (range, total) =>
      findAllowances(ctx, listingId, search ? await foundBy(search, total) : null, range),
    count: () => (search ? countFound(ctx, listingId, search) : countAllowances(ctx, listingId)),
    show: ({ kind, identity, createdAt }) => ({
      eth_address: kind === 'ADDRESS' ? identity : null,
      email_address: kind === 'EMAIL' ? identity : null,
      created_at: createdAt,
    }),
  })
}

/**
 * A text that entries contain. `few`: all of these are put in order, where otherwise entries are looked at in their
 * order until the page is full.
 */
type Search = { part: string; few: boolean }

async function foundBy(part: string, total: () => Promise<number | Total>): Promise<Search> {
  const found = await total()
  return { part, few: typeof found === 'number' || !found.isEstimate }
}

const patternOf = (part: string): string => `%${escapeLike(part)}%`

const COUNT: Statement = {
  name: 'count_allowances_with',
  text: 'SELECT count(*)::int AS total FROM allowances_with($1::uuid, $2::text, $3::text, $4::int)',
}
const COUNT_AMONG: Statement = {
  name: 'count_allowances_among',
  text: `SELECT count(*)::int AS total FROM listing_allowances
    WHERE organization_id = $1::uuid AND listing_id = $2::uuid AND identity = ANY ($3::text[])
      AND identity ILIKE $4::text`,
}

const countFound = (ctx: Context, listingId: string, part: string): Promise<Total> =>
  totalOf(
    ctx,
    'listing_allowances',
    async (most) => (await ctx.rows<{ total: number }>(COUNT, listingId, part, patternOf(part), most))[0]!.total,
    async (identities) =>
      (await ctx.rows<{ total: number }>(COUNT_AMONG, ctx.organizationId, listingId, identities, patternOf(part)))[0]!
        .total,
  )

const { sql } = Prisma
const ALL = 2_147_483_647

function findAllowances(
  ctx: Context,
  listingId: string,
  search: Search | null,
  { after, isIncluded, direction, take }: LongRange,
): Promise<Allowance[]> {
  const order = Prisma.raw(direction === 'asc' ? 'ASC' : 'DESC')
  const beyond = Prisma.raw(`${direction === 'asc' ? '>' : '<'}${isIncluded ? '=' : ''}`)
  const first = after === undefined ? null : allowanceOfKey(after)
  const start = first
    ? sql`WHERE (kind, identity) ${beyond} (${first.kind}::text::"IdentityKind", ${first.identity})`
    : Prisma.empty
  const pattern = search && patternOf(search.part)
  // One more than the page takes: `first` is among them.
  const keys = search?.few
    ? sql`allowances_with(${listingId}::uuid, ${search.part}::text, ${pattern}::text, ${ALL}::int)`
    : sql`allowances_after(${listingId}::uuid, ${first?.kind ?? null}::text::"IdentityKind",
        ${first?.identity ?? null}::text, ${direction === 'asc'}::boolean, ${pattern}::text, ${take + 1}::int)`
  const { text, values } = sql`SELECT ${Prisma.raw(ALLOWANCE)}
    FROM (SELECT kind, identity FROM ${keys} ${start} ORDER BY kind ${order}, identity ${order} LIMIT ${take}) page
      CROSS JOIN LATERAL (SELECT * FROM listing_allowances l
        WHERE l.organization_id = ${ctx.organizationId}::uuid AND l.listing_id = ${listingId}::uuid
          AND l.kind = page.kind AND l.identity = page.identity OFFSET 0) a
    ORDER BY a.kind ${order}, a.identity ${order}`
  // Without a name it is planned for its values.
  return ctx.rows<Allowance>({ name: '', text }, ...(values as Value[]))
}
