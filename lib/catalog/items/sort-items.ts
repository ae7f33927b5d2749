import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { LongRange, Place } from '../../core/paginate.ts'
import { placesByColumns, placesByParts, type SortColumns } from '../../db/sorted-ids.ts'
import { type ItemFilter, plainFiltersOf, searchedBy } from './item-filters.ts'
import type { SearchPlan } from './plan-search.ts'

const { sql } = Prisma

/** The index items_by_name has them (prisma/migrations). */
const NAME: SortColumns = [{ value: sql`name_order(i.attributes ->> 'title') COLLATE "C"`, type: 'text' }]

const STATES = [
  sql`i.locked_at IS NULL`,
  ...['NOT_MINTED', 'MINTING', 'MINTED', 'BURNED'].map(
    (status) => sql`i.token_status = ${Prisma.raw(`'${status}'`)} AND i.locked_at IS NOT NULL`,
  ),
].map((condition, rank) => ({ rank, conditions: [condition] }))

/**
 * The places of a page of an organization's items, sorted by name or state. `plan`: what `planSearch` found for the
 * first page.
 */
export function placesOfItems(
  ctx: Context,
  query: ItemFilter,
  sort: 'NAME' | 'STATE',
  range: LongRange,
  { found }: SearchPlan,
): Promise<Place[]> {
  const searched = searchedBy(query)
  const plain = plainFiltersOf(ctx, query)
  const rows = {
    table: 'items',
    as: 'i',
    ...(found
      ? { conditions: [...plain, sql`i.id = ANY (ARRAY(${found}))`] }
      : { conditions: plain, looked: searched }),
  }
  return sort === 'NAME' ? placesByColumns(ctx, rows, NAME, range) : placesByParts(ctx, rows, STATES, range)
}
