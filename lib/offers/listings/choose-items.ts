import { randomInt } from 'node:crypto'
import type { Listing } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Run } from '../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'

const ITEM = columns('i', 'Item', [
  'id',
  'tokenId',
  'attributes',
  'imageSource',
  'imageCid',
  'imageFile',
  'custodian',
  'lockedAt',
])
/** The fields by which a sold item is shown and delivered. */
export type ChosenItem = RowOf<typeof ITEM>
type Selling = Pick<Listing, 'id' | 'itemId' | 'collectionId' | 'assignment'>

const LOCK_ITEM: Statement = {
  name: 'lock_item',
  text: `SELECT ${ITEM} FROM items i WHERE i.id = $1::uuid FOR NO KEY UPDATE`,
}

/** There is an index for this condition and order. */
const FREE = 'collection_id = $1::uuid AND is_free'
const BY_TOKEN_ID = 'length(token_id), token_id'

const freeItems = (name: string, order: string, locked: string): Statement => ({
  name,
  text: `SELECT ${ITEM} FROM items i WHERE ${FREE} ORDER BY ${order}
    LIMIT (
      SELECT least($3::bigint, quantity_listed - quantity_open - quantity_confirmed) FROM listings WHERE id = $2::uuid)
    FOR UPDATE ${locked}`,
})
const LOWEST = freeItems('lock_free_items', BY_TOKEN_ID, 'SKIP LOCKED')
/** The second waits for items that others have locked. */
const FREE_ITEMS = {
  AUTOMATIC: [LOWEST, freeItems('wait_for_free_items', BY_TOKEN_ID, '')],
  RANDOM: [
    freeItems('lock_random_items', 'random()', 'SKIP LOCKED'),
    freeItems('wait_for_random_items', 'random()', ''),
  ],
} as const satisfies Record<Listing['assignment'], readonly [Statement, Statement]>

/**
 * The statement that locks the item of a locked listing, or the free items of its collection with the lowest token ids.
 * Those that others have locked are skipped.
 */
export const lockItemsCall = ({ id, itemId, collectionId }: Selling, units: bigint): Call =>
  itemId === null ? call(LOWEST, collectionId, id, units) : call(LOCK_ITEM, itemId)

/**
 * Locks the items that a locked listing sells next, drawn at random where it says so. Waits for items that others have
 * locked only where nothing else is left.
 */
export async function lockItems(run: Run, listing: Selling, units: bigint): Promise<ChosenItem[]> {
  const { id, itemId, collectionId, assignment } = listing
  const read = async (...chosen: Parameters<typeof call>) => (await run(call(...chosen)))[0] as unknown as ChosenItem[]
  if (itemId !== null) return read(LOCK_ITEM, itemId)
  const drawn = assignment === 'RANDOM' ? await drawItems(run, collectionId, units) : []
  if (BigInt(drawn.length) === units) return drawn
  const [skipping, waiting] = FREE_ITEMS[assignment]
  const found = await read(skipping, collectionId, id, units)
  return BigInt(found.length) === units ? found : read(waiting, collectionId, id, units)
}

const READ_POOL: Statement = {
  name: 'read_pool_free',
  text: 'SELECT pool_free AS free FROM collections WHERE id = $1::uuid',
}
const DRAW: Statement = {
  name: 'draw_items',
  text: `SELECT ${ITEM} FROM items i WHERE ${FREE} AND i.id IN (
      SELECT drawn.id FROM unnest($2::int[]) AS lot (at)
      CROSS JOIN LATERAL (SELECT id FROM items WHERE ${FREE} ORDER BY ${BY_TOKEN_ID} OFFSET lot.at LIMIT 1) drawn
    ) FOR UPDATE SKIP LOCKED`,
}
const MOST_DRAWN = 50n

/** Draws random free items without sorting all of them. Returns fewer when others have locked some of those drawn. */
async function drawItems(run: Run, collectionId: string, units: bigint): Promise<ChosenItem[]> {
  const [pools] = (await run(call(READ_POOL, collectionId))) as unknown as [{ free: bigint }[]]
  const { free } = pools[0]!
  if (units > MOST_DRAWN || free < units * 2n) return []
  const lots = new Set<number>()
  while (lots.size < Number(units)) lots.add(randomInt(Number(free)))
  const [items] = await run(call(DRAW, collectionId, [...lots]))
  return items as unknown as ChosenItem[]
}
