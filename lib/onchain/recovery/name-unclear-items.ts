import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { within, type SystemContext } from '../../platform/auth/context.ts'

const UNCLEAR = columns('u', 'UnmatchedMint', ['itemId', 'organizationId', 'txHash', 'toAddress', 'quantity'])

/**
 * ERC-1155 items of which we minted units that no promise explains, while units of them are still promised: a person
 * has to say whether one of these promises was kept. Names each in an alarm, until nothing of it is unclear.
 */
export async function nameUnclearItems(worker: SystemContext, networkId: number): Promise<void> {
  const unclear = await worker.sql<RowOf<typeof UNCLEAR>>(Prisma.sql`
    SELECT DISTINCT ON (u.item_id) ${Prisma.raw(UNCLEAR)}
    FROM unmatched_mints u JOIN collections c ON c.id = u.collection_id AND c.token_type = 'ERC1155'
    WHERE u.network_id = ${networkId} AND u.state = 'OURS'
      AND EXISTS (SELECT 1 FROM holds h WHERE h.item_id = u.item_id AND h.state = 'HELD' AND h.holder_type <> 'LISTING')
    ORDER BY u.item_id, u.id`)
  for (const { itemId, organizationId, txHash, toAddress, quantity } of unclear)
    await within(worker, organizationId, (own) =>
      raiseAlarm(
        own,
        'unmatched_mint',
        itemId,
        `${quantity} units of the item ${itemId} went to ${toAddress} in ${txHash}, and the books, ` +
          'which were put back from a backup, don’t say for whom. New deliveries of this item wait.',
      ),
    )
  const open = await worker.db.alarm.findMany({ where: { kind: 'unmatched_mint', resolvedAt: null } })
  for (const { subject, organizationId } of open) {
    const left = await worker.db.unmatchedMint.count({ where: { itemId: subject, state: 'OURS' } })
    if (left === 0 && organizationId)
      await within(worker, organizationId, (own) => resolveAlarm(own, 'unmatched_mint', subject))
  }
}
