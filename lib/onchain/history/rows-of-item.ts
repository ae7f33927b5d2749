import type { Context } from '../../platform/auth/context.ts'
import type { List } from '../../core/cursor.ts'
import { notFound } from '../../core/errors.ts'
import { directionOf, type OrderDirection, type Page, type PageQuery } from '../../core/page.ts'
import { pageOfFound } from '../../core/paginate.ts'
import {
  type Columns,
  type FoundPage,
  type HotRead,
  type Sorting,
  pageOfRows,
  placeOf,
  readHot,
} from '../../platform/http/hot/hot-read.ts'
import { COUNTED_EXACTLY } from '../../records/counts/total-of.ts'

/** `organizationId`: whose items may be seen that aren't published. */
type ItemRequest<Query> = { params: { item_id: string }; query: Query; organizationId?: string }

type RowsOfItem<Query, Row, Out> = {
  name: string
  order: Sorting
  /** FROM and WHERE of the item's rows, where `i` is the item. */
  from: string
  row: string
  columns: Columns
  /**
   * Counts all rows; where they are `most` or more, it estimates them. It looks for the item once, not for each row,
   * but takes longer for few.
   */
  count: (most: number) => string
  isFor: (query: Query) => boolean
  show: (row: Row) => Out
}

/** A row and its place: the value of the column that orders the list. */
type Placed<Row> = Row & { place: string }

/** Up to here rows are counted as they are read, in their order: the planner would else read the table to find some. */
const FEW = 20

/**
 * Pages of what belongs to an item, newest first and oldest first. There is none where the item may not be seen: an
 * organization sees its own, anybody else the locked ones of deployed, public collections.
 */
export function rowsOfItem<Query extends PageQuery, Row extends object, Out>(
  list: RowsOfItem<Query, Row, Out>,
): HotRead<ItemRequest<Query>, FoundPage, Page<Out>>[] {
  const { name, order, from, row, columns, count, isFor, show } = list
  const few = `(SELECT count(*) FROM (SELECT 1 ${from} ORDER BY ${order.column} LIMIT ${FEW + 1}) some_rows)`
  const of = {
    name: 'i',
    row: `SELECT i.id FROM items i JOIN collections c ON c.id = i.collection_id
      WHERE i.id = asked.item_id AND (i.organization_id = asked.organization_id
        OR (asked.organization_id IS NULL AND i.locked_at IS NOT NULL
          AND c.deployment_status = 'SUCCESS' AND c.is_public))`,
    without: 'not found' as const,
  }
  const total = `SELECT CASE WHEN few.total <= ${FEW} THEN few.total ELSE ${count(COUNTED_EXACTLY + 1)} END
    FROM (SELECT ${few} AS total OFFSET 0) few`
  const key = { item_id: 'uuid', organization_id: 'uuid' }
  const listOf = ({ params, organizationId }: Pick<ItemRequest<Query>, 'params' | 'organizationId'>): List => [
    name,
    organizationId ?? null,
    params.item_id,
  ]
  const inOrder = (direction: OrderDirection): HotRead<ItemRequest<Query>, FoundPage, Page<Out>> => {
    const version = { of: '', row }
    const { rowsOf, ...page } = pageOfRows<Placed<Row>>(`${name}_${direction.toLowerCase()}`, direction, {
      key,
      of,
      order,
      from,
      version,
      columns: { place: order.column, ...columns },
      total,
    })
    return {
      ...page,
      keyOf: ({ params, query, organizationId }) =>
        isFor(query) && directionOf(query) === direction
          ? [params.item_id, organizationId ?? null, ...placeOf(listOf({ params, organizationId }), order, query)]
          : null,
      isKept: ([found]) => !isEstimated(found!),
      show: ([found], input) =>
        pageOfFound(input.query, {
          list: listOf(input),
          key: ({ place }: Placed<Row>) => place,
          rows: rowsOf(found!),
          total: { total: Number(found!.total), isEstimate: isEstimated(found!) },
          show,
        }),
    }
  }
  return [inOrder('DESC'), inOrder('ASC')]
}

const isEstimated = ({ total }: FoundPage): boolean => Number(total) > COUNTED_EXACTLY

/** Reads such a page. Throws `not_found`. */
export async function readRowsOfItem<Query extends PageQuery, Row, Out>(
  ctx: Context,
  reads: readonly HotRead<ItemRequest<Query>, Row, Page<Out>>[],
  itemId: string,
  query: Query,
): Promise<Page<Out>> {
  const input = {
    params: { item_id: itemId },
    query,
    ...(ctx.organizationId && { organizationId: ctx.organizationId }),
  }
  const read = reads.find(({ keyOf }) => keyOf(input))
  if (!read) throw notFound()
  return readHot(ctx, read, input)
}
