import { type HolderType, Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { type AnyContext, type Context, inOrganization } from '../../platform/auth/context.ts'
import { pauseListings } from '../../offers/listings/pause-listings.ts'
import { advanceHolds } from '../../stock/advance-hold.ts'

export type Promised = { id: string; state: 'HELD' | 'EXCEPTION'; quantity: bigint }

/**
 * Which holds of an item change, now that `minted` units of it are owned by others (units in custody don't count).
 * While more is held than the supply allows, the weakest hold becomes EXCEPTION; with `restore`, and where there is
 * room, the strongest excepted one is HELD again. `holds`: strongest first.
 */
export function holdChangesOf(
  item: { maxSupply: bigint; minted: bigint },
  holds: readonly Promised[],
  { restore }: { restore: boolean },
): { except: string[]; restore: string[] } {
  const held = holds.filter((hold) => hold.state === 'HELD')
  let promised = item.minted + held.reduce((sum, hold) => sum + hold.quantity, 0n)
  const settlement = { except: [] as string[], restore: [] as string[] }
  for (const hold of held.reverse()) {
    if (promised <= item.maxSupply) break
    settlement.except.push(hold.id)
    promised -= hold.quantity
  }
  if (!restore || settlement.except.length > 0) return settlement
  for (const hold of holds.filter(({ state }) => state === 'EXCEPTION')) {
    if (promised + hold.quantity > item.maxSupply) break
    settlement.restore.push(hold.id)
    promised += hold.quantity
  }
  return settlement
}

type ItemRow = { id: string; organization_id: string; max_supply: bigint; minted: bigint; held: bigint }
type HoldRow = Promised & { item_id: string; holder_type: HolderType; holder_id: string }

/**
 * Compares holds with the chain. Where units that we hold were minted to others, holds become EXCEPTION, listings are
 * paused, and an alarm is raised; a listing's hold is weaker than any other. With `restore`, after logs were undone or
 * tokens came into custody, holds are HELD again where there is room; listings aren't paused then, since a reorg is
 * mostly repeated. `went`: items whose token left custody. The indexer calls it with the stock rule switched off, and
 * with the items, and without `restore` their listings, locked.
 */
export async function reconcileHolds(
  tx: AnyContext,
  itemIds: readonly string[],
  { restore, went = [] }: { restore: boolean; went?: readonly string[] },
): Promise<void> {
  if (itemIds.length === 0) return
  const items = await tx.sql<ItemRow>(Prisma.sql`
    SELECT id::text, organization_id::text, max_supply, minted - kept_units(items) AS minted, held FROM items
    WHERE id = ANY(${[...itemIds].sort()}::uuid[]) AND max_supply IS NOT NULL
      AND (minted - kept_units(items) + held > max_supply OR ${restore})
    ORDER BY id FOR NO KEY UPDATE`)
  if (!restore) await pauseOversoldPools(tx, itemIds)
  if (items.length === 0) return
  const holds = await tx.sql<HoldRow>(Prisma.sql`
    SELECT id::text, item_id::text, state::text, quantity, holder_type::text, holder_id::text FROM holds
    WHERE item_id = ANY(${items.map(({ id }) => id)}::uuid[]) AND state IN ('HELD', 'EXCEPTION')
    ORDER BY holder_type = 'LISTING', id`)
  for (const item of items) {
    const promised = holds.filter((hold) => hold.item_id === item.id)
    const change = holdChangesOf({ maxSupply: item.max_supply, minted: item.minted }, promised, { restore })
    await advanceHolds(tx, change.except, 'HELD', 'EXCEPTION')
    await advanceHolds(tx, change.restore, 'EXCEPTION', 'HELD')
    const isOverMinted = item.minted > item.max_supply
    const offers = promised.filter(
      ({ id, holder_type }) => holder_type === 'LISTING' && (change.except.includes(id) || isOverMinted),
    )
    await inOrganization(tx, item.organization_id, async (own) => {
      if (!restore)
        await pauseListings(
          own,
          offers.map(({ holder_id }) => holder_id),
        )
      if (change.except.length > 0) await raise(own, item.id, went.includes(item.id) ? 'token_gone' : 'foreign_mint')
      else if (isOverMinted) await raise(own, item.id, 'foreign_mint')
      if (change.restore.length > 0)
        for (const kind of ['foreign_mint', 'token_gone'] as const) await resolveAlarm(own, kind, item.id)
    })
  }
}

const ALARMS = {
  foreign_mint:
    'More of this item was minted on the chain than we had left: promises that can’t be kept are marked as exceptions.',
  token_gone:
    'The token of this item isn’t in our operator’s hands any more, by no transfer of ours: ' +
    'promises that can’t be kept are marked as exceptions.',
}

const raise = (own: Context, itemId: string, kind: keyof typeof ALARMS): Promise<void> =>
  raiseAlarm(own, kind, itemId, ALARMS[kind])

type PoolRow = { id: string; organization_id: string; pool_free: bigint; pool_held: bigint }

/**
 * Foreign mints may take units of a collection's pool that its listings count on: the newest such listings are paused.
 */
async function pauseOversoldPools(tx: AnyContext, itemIds: readonly string[]): Promise<void> {
  const pools = await tx.sql<PoolRow>(Prisma.sql`
    SELECT c.id::text, c.organization_id::text, c.pool_free, c.pool_held FROM collections c
    WHERE c.pool_held > c.pool_free
      AND c.id IN (SELECT i.collection_id FROM items i WHERE i.id = ANY(${[...itemIds]}::uuid[]))
    ORDER BY c.id`)
  for (const pool of pools) {
    const offers = await tx.db.hold.findMany({
      where: { collectionId: pool.id, itemId: null, state: 'HELD', quantity: { gt: 0n } },
      orderBy: { id: 'desc' },
    })
    let short = pool.pool_held - pool.pool_free
    const paused: string[] = []
    for (const { holderId, quantity } of offers) {
      if (short <= 0n) break
      paused.push(holderId)
      short -= quantity
    }
    await inOrganization(tx, pool.organization_id, async (own) => {
      await pauseListings(own, paused)
      await raiseAlarm(
        own,
        'foreign_mint',
        pool.id,
        'Items of this collection were minted on the chain that its listings counted on: they are paused.',
      )
    })
  }
}
