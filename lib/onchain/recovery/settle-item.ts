import { within, type SystemContext } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'

/**
 * A person decided about an item (ERC-1155) of which we minted units that no promise explains: none of the open
 * promises was kept by them, so these are delivered. Returns how many mints that was about.
 */
export async function settleItem(worker: SystemContext, itemId: string): Promise<number> {
  const item = await worker.db.item.findFirst({ where: { id: itemId }, select: { organizationId: true } })
  if (!item) throw notFound()
  return within(worker, item.organizationId, async (own) => {
    const { count } = await own.db.unmatchedMint.updateMany({
      where: { itemId, state: 'OURS' },
      data: { state: 'SETTLED' },
    })
    await resolveAlarm(own, 'unmatched_mint', itemId)
    return count
  })
}
