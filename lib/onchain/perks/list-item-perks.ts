import type { z } from 'zod'
import type { Page, PageQuery } from '../../core/page.ts'
import type { publicPerk } from '../../platform/api/perks.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byUuid } from '../../platform/http/hot/hot-read.ts'
import { readRowsOfItem, rowsOfItem } from '../history/rows-of-item.ts'

type PublicPerk = z.output<typeof publicPerk>
type Row = { id: string; kind: PublicPerk['kind']; title: string; left: number; given: number }

/**
 * Each is found by an index: those of the item, unless they would tell what it is before its reveal, and those of its
 * collection.
 */
const FROM = `FROM (SELECT own.id FROM perks own JOIN collections oc ON oc.id = own.collection_id
      WHERE own.item_id = i.id AND (oc.reveal_strategy <> 'DELAYED' OR oc.revealed_at IS NOT NULL)
    UNION ALL SELECT every.id FROM perks every JOIN items one ON one.collection_id = every.collection_id
    WHERE one.id = i.id AND every.item_id IS NULL) found
  JOIN perks p ON p.id = found.id WHERE p.is_public`

/** Pages of what everybody is told that holders of an item get. */
export const itemPerks = rowsOfItem<PageQuery, Row, PublicPerk>({
  name: 'item_perks',
  order: byUuid('p.id'),
  from: FROM,
  // Whoever reads published rows can't read the rows' own versions here. These columns are all that is shown; a code
  // that was given is counted.
  row: 'p.kind, p.code_count, p.given_count, p.title',
  columns: {
    id: 'p.id',
    kind: 'p.kind',
    title: 'p.title',
    left: 'p.code_count - p.given_count',
    given: '(SELECT count(*) FROM perk_codes k WHERE k.perk_id = p.id AND k.item_id = i.id)',
  },
  count: () => `(SELECT count(*) ${FROM})`,
  isFor: () => true,
  show: ({ id, kind, title, left, given }) => ({
    id,
    kind,
    title,
    codes_left: kind === 'CODES' ? left : null,
    codes_given: kind === 'CODES' ? given : null,
  }),
})

/** Lists what everybody is told of the perks of an item. */
export const listItemPerks = (ctx: Context, itemId: string, query: PageQuery): Promise<Page<PublicPerk>> =>
  readRowsOfItem(ctx, itemPerks, itemId, query)
