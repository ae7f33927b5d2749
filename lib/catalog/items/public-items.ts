import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listPublicItems as endpoint } from '../../platform/api/items.ts'
import { byUuid, type FoundPage, type HotRead, pageOfRows, placeOf } from '../../platform/http/hot/hot-read.ts'
import type { List } from '../../core/cursor.ts'
import { directionOf, type OrderDirection } from '../../core/page.ts'
import { pageOfFound } from '../../core/paginate.ts'
import { OF_COLLECTION, OF_ITEM } from './public-item.ts'
import { type CollectionOfItem, publicItemOf, type PublicItemRow } from './show-item.ts'

type Query = Input<typeof endpoint>['query']
type PublicItems = HotRead<{ query: Query }, FoundPage<CollectionOfItem>, Output<typeof endpoint>>

/** The list that cursors of public items belong to, however a page of them is read. */
export const PUBLIC_ITEMS: List = ['public_items', null]

const ORDER = byUuid('i.id')
const PAGE = {
  key: { collection_id: 'uuid' },
  of: {
    name: 'c',
    row: `SELECT c.*, c.xmin FROM collections c
      WHERE c.id = asked.collection_id AND c.deployment_status = 'SUCCESS' AND c.is_public`,
    without: 'empty' as const,
    columns: OF_COLLECTION,
  },
  order: ORDER,
  // Said three times, the planner believes that few items match: it would else walk all items by the primary key where
  // most are of one collection.
  from: `FROM items i
    WHERE i.collection_id = c.id AND i.collection_id >= c.id AND i.collection_id <= c.id AND i.locked_at IS NOT NULL`,
  // Also where its items are: what was moved away from it counts too.
  version: {
    of: `c.xmin, (SELECT sum(r.amount) FROM row_counts r
      WHERE r.table_name = 'item_changes' AND r.organization_id = c.organization_id AND r.parent_id = c.id)`,
  },
  columns: OF_ITEM,
  total: `SELECT coalesce(sum(r.amount), 0)::bigint FROM row_counts r
    WHERE r.table_name = 'items' AND r.organization_id = c.organization_id AND r.parent_id = c.id
      AND r.traits[1] = 'true'`,
}

/** The collection of a query that asks for nothing else but a page. */
function onlyCollectionOf({ cursor: _c, limit: _l, order_direction: _o, ...filter }: Query): string | undefined {
  const { collection_ids, ...others } = filter
  const isOnly = Object.values(others).every((value) => value == null || (Array.isArray(value) && value.length === 0))
  return isOnly && collection_ids.length === 1 ? collection_ids[0] : undefined
}

function inOrder(name: string, direction: OrderDirection): PublicItems {
  const { rowsOf, ...page } = pageOfRows<PublicItemRow>(name, direction, PAGE)
  return {
    ...page,
    keyOf: ({ query }) => {
      const collectionId = directionOf(query) === direction && onlyCollectionOf(query)
      return collectionId ? [collectionId, ...placeOf(PUBLIC_ITEMS, ORDER, query)] : null
    },
    show: ([found], { query }, { ports }) =>
      pageOfFound(query, {
        list: PUBLIC_ITEMS,
        key: (row: PublicItemRow) => row.id,
        rows: rowsOf(found!),
        total: Number(found!.total),
        show: (row) => publicItemOf(row, found!, ports.addresses.origin),
      }),
  }
}

/** Pages of the locked items of one deployed, public collection, newest first and oldest first. */
export const publicItems = [inOrder('public_items_newest', 'DESC'), inOrder('public_items_oldest', 'ASC')]
