import { z } from 'zod'
import type { List } from '../../core/cursor.ts'
import { pageQuery } from '../../core/page.ts'
import { pageOfFound } from '../../core/paginate.ts'
import { address } from '../../core/wire.ts'
import { listPublicItems } from '../../platform/api/items.ts'
import { byUuid, type FoundPage, type HotRead, pageOfRows, placeOf } from '../../platform/http/hot/hot-read.ts'
import { keptRead } from '../../platform/http/hot/kept-get.ts'
import { type FlatPublicItem, OF_COLLECTION, OF_ITEM, shownOf } from './public-item.ts'

const answer = {
  params: z.object({ owner: address }),
  query: pageQuery(),
  // Without their number: counting what an operator owns takes longer than a page of it.
  response: listPublicItems.response.omit({ total_results: true, total_is_estimate: true }),
}
type OwnerRequest = { params: z.output<typeof answer.params>; query: z.output<typeof answer.query> }

/** In the order of the index of an address's items. */
const ORDER = byUuid('o.item_id')

const listOf = ({ params }: OwnerRequest): List => ['items_of_owner', null, params.owner]

type Row = Omit<FlatPublicItem, 'revealedAt'> & { revealedAt: string | null }
const { rowsOf, ...page } = pageOfRows<Row>('items_of_owner', 'DESC', {
  key: { owner: 'text' },
  of: { name: 'any_address', row: 'SELECT 1', without: 'empty' },
  order: ORDER,
  from: `FROM item_owners o JOIN items i ON i.id = o.item_id JOIN collections c ON c.id = i.collection_id
    WHERE o.address = asked.owner AND o.quantity > 0 AND i.locked_at IS NOT NULL
      AND c.deployment_status = 'SUCCESS' AND c.is_public`,
  version: { of: '', row: 'i.xmin, c.xmin' },
  columns: { ...OF_ITEM, ...OF_COLLECTION },
  total: 'SELECT 0::bigint',
})

const itemsOfOwner: HotRead<OwnerRequest, FoundPage, z.output<typeof answer.response>> = {
  ...page,
  keyOf: (asked) => [asked.params.owner, ...placeOf(listOf(asked), ORDER, asked.query)],
  // Anybody may ask for any address; those that own nothing would push out what others ask for.
  isKept: ([found]) => found!.rows !== null,
  show: ([found], asked, moment) => {
    const rows = rowsOf(found!)
    const { cursor, has_more, results } = pageOfFound(asked.query, {
      list: listOf(asked),
      key: (row: Row) => row.id,
      rows,
      total: rows.length,
      show: (row) => shownOf({ ...row, revealedAt: row.revealedAt === null ? null : new Date(row.revealedAt) }, moment),
    })
    return { cursor, has_more, results }
  },
}

const read = keptRead(answer, itemsOfOwner)

/**
 * The public items that an address owns, newest first, for its page; kept while they are the same. null for a broken
 * cursor.
 */
export const readItemsOfOwner = (owner: string, search: string) => read({ params: { owner }, search })
