import { Prisma } from '../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../audit/raise-alarm.ts'
import type { Context } from '../auth/context.ts'
import { advanceHolds } from '../stock/advance-hold.ts'
import { ofOrganization } from './of-organization.ts'

export type Promised = { id: string; state: 'HELD' | 'EXCEPTION'; quantity: bigint }

/**
 * What becomes of the holds of an item of which the chain has `minted` units: while more is promised than can be, the youngest
 * promise gives way; where `restore` and there is room, the eldest that gave way is promised again. `holds` eldest first.
 */
export function settlementOf(
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
type HoldRow = { id: string; item_id: string; state: 'HELD' | 'EXCEPTION'; quantity: bigint }

/**
 * Promises give way to what the chain says: where strangers minted what we hold, holds become EXCEPTION and an alarm is raised.
 * With `restore`, after logs were undone, they come back. Call it with the stock rule stepped aside.
 */
export async function settleStock(tx: Context, itemIds: readonly string[], { restore }: { restore: boolean }): Promise<void> {
  if (itemIds.length === 0) return
  const items = await tx.sql<ItemRow>(Prisma.sql`
    SELECT id::text, organization_id::text, max_supply, minted, held FROM items
    WHERE id = ANY(${[...itemIds].sort()}::uuid[]) AND max_supply IS NOT NULL AND (minted + held > max_supply OR ${restore})
    ORDER BY id FOR UPDATE`)
  if (items.length === 0) return
  const holds = await tx.sql<HoldRow>(Prisma.sql`
    SELECT id::text, item_id::text, state::text, quantity FROM holds
    WHERE item_id = ANY(${items.map(({ id }) => id)}::uuid[]) AND state IN ('HELD', 'EXCEPTION') ORDER BY id`)
  for (const item of items) {
    const settlement = settlementOf(
      { maxSupply: item.max_supply, minted: item.minted },
      holds.filter((hold) => hold.item_id === item.id),
      { restore },
    )
    await advanceHolds(tx, settlement.except, 'HELD', 'EXCEPTION')
    await advanceHolds(tx, settlement.restore, 'EXCEPTION', 'HELD')
    const own = ofOrganization(tx, item.organization_id)
    if (settlement.except.length > 0 || item.minted > item.max_supply)
      await raiseAlarm(own, 'foreign_mint', item.id, 'More of this item was minted on the chain than we had left: promises that can’t be kept are marked as exceptions.')
    if (settlement.restore.length > 0) await resolveAlarm(own, 'foreign_mint', item.id)
  }
}
