import { createHash } from 'node:crypto'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { isNone, type Total } from '../../core/page.ts'
import { type Range, rowsOfIds } from '../../core/paginate.ts'
import type { Value } from '../../db/statements.ts'
import { filtersOf, type ItemFilter, plainFiltersOf, searchedBy } from './item-filters.ts'
import { orderOf, pageInOrder, pageOf } from './page-of-items.ts'
import type { SearchPlan } from './plan-search.ts'
import { ADMIN_ITEM_COLUMNS, type AdminItemRow } from './show-item.ts'

const { sql } = Prisma

const ITEM = Prisma.raw(ADMIN_ITEM_COLUMNS)
const COLLECTION = sql`jsonb_build_object('defaultItemTypeId', c.default_item_type_id,
  'royaltyReceiver', c.royalty_receiver, 'royaltyBps', c.royalty_bps) AS collection`
const TABLES = sql`items i JOIN collections c ON c.organization_id = i.organization_id AND c.id = i.collection_id`

const ONE = {
  name: 'admin_item',
  text: sql`SELECT ${ITEM}, ${COLLECTION} FROM ${TABLES}
    WHERE i.id = ${''}::uuid AND i.organization_id = ${''}::uuid`.text,
}

/** An item of an organization with what is shown of its collection. Throws `not_found`. */
export async function readAdminItem(ctx: Pick<Context, 'rows' | 'organizationId'>, id: string): Promise<AdminItemRow> {
  const [row] = await ctx.rows<AdminItemRow>(ONE, id, ctx.organizationId)
  if (!row) throw notFound()
  return row
}

const MANY = {
  name: 'admin_items',
  text: sql`SELECT ${ITEM}, ${COLLECTION} FROM ${TABLES}
    WHERE i.id = ANY(${''}::uuid[]) AND i.organization_id = ${''}::uuid`.text,
}

/** Several items of an organization with what is shown of their collections. Ids that aren't found are missing. */
export const readAdminItems = (ctx: Context, ids: readonly string[]): Promise<AdminItemRow[]> =>
  ctx.rows<AdminItemRow>(MANY, ids, ctx.organizationId)

/**
 * Items of an organization with what is shown of their collections. `plan`: what `planSearch` found; `total` gives how
 * many there are on all pages.
 */
export async function findAdminItems(
  ctx: Context,
  query: ItemFilter,
  range: Range,
  { readIds }: SearchPlan,
  total: () => Promise<number | Total>,
): Promise<AdminItemRow[]> {
  if (readIds) {
    const rows = await rowsOfIds(readIds, (ids) => readAdminItems(ctx, ids))
    const sign = range.direction === 'asc' ? 1 : -1
    return rows.sort((a, b) => (a.id < b.id ? -sign : sign))
  }
  if ((query.token_status || query.locked) && isNone(await total())) return []
  const searched = searchedBy(query)
  const page =
    searched.length === 0
      ? pageOf(Prisma.empty, filtersOf(ctx, query), { ...range, take: sizeFor(range.take) })
      : pageInOrder(plainFiltersOf(ctx, query), searched, range)
  const { text, values } = sql`
    SELECT ${ITEM}, ${COLLECTION}
    FROM (SELECT * FROM (SELECT i.* ${page}) i LIMIT ${range.take}) i
      JOIN collections c ON c.organization_id = i.organization_id AND c.id = i.collection_id
    ORDER BY i.id ${orderOf(range)}`
  return ctx.rows<AdminItemRow>({ name: nameOf(query, text), text }, ...(values as Value[]))
}

/** With a parameter alone the planner expects a tenth of the table on a page, and plans each one anew. */
const sizeFor = (take: number) => Prisma.raw(String(SIZES.find((size) => size >= take) ?? take))
const SIZES = [21, 101, 1001]

/**
 * The name of a statement. A search has none, so that each is planned for its values: they decide the plan, and
 * searches have too many forms.
 */
const nameOf = ({ attribute, search }: ItemFilter, text: string): string =>
  attribute.length > 0 || search ? '' : `admin_items_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
