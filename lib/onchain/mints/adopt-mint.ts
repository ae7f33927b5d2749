import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { splitDelivered } from '../transactions/split-transaction.ts'
import type { SendingMint, SendingRow } from '../transactions/sending-row.ts'
import { explainMint } from './explain-mint.ts'
import type { EarlierMint } from './find-earlier-mint.ts'

/**
 * Takes a mint that we made before, and forgot (a restored backup, say), for the delivery of this mint request: the
 * request is COMPLETED in a transaction of its own, and its hold is consumed. Nothing is sent and nothing is refunded.
 * Throws where another mint request took it meanwhile.
 */
export async function adoptMint(
  worker: SystemContext,
  row: SendingRow,
  mint: SendingMint,
  { historyId, txHash }: Omit<Extract<EarlierMint, { by: 'ours' }>, 'by'>,
): Promise<void> {
  await inTransaction(worker, async (tx) => {
    const moved = await tx.db.itemHistory.findFirstOrThrow({ where: { id: historyId } })
    await within(tx, row.organizationId, (own) =>
      splitDelivered(own, row, mint, { txHash, blockNumber: moved.blockNumber }),
    )
    const [hold] = await tx.db.hold.findMany({
      where: { holderType: 'MINT_REQUEST', holderId: mint.id, state: { in: ['HELD', 'EXCEPTION'] } },
      select: { id: true },
    })
    if (hold) await explainMint(tx, historyId, hold.id)
    await within(tx, row.organizationId, (own) => resolveAlarm(own, 'foreign_mint', mint.itemId))
  })
}
