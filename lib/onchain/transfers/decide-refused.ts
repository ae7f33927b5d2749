import { crashPoint } from '../../core/crash.ts'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain, Simulation } from '../../ports/chain/chain.ts'
import { abandonTransaction } from '../transactions/abandon-transaction.ts'
import type { SendingRow } from '../transactions/sending-row.ts'
import { tipOf } from '../transactions/tip.ts'
import { advanceTransfer, failTransfer } from './advance-transfer.ts'
import { findDelivery } from './find-delivery.ts'
import { CARRIED, type CarriedTransfer } from './order-of.ts'
import { failureCodeOf, NONCE_USED } from './transfer-failures.ts'

/**
 * Decides about a waiting transfer that the contract refuses in simulation. Nothing is signed for it, so it fails at
 * once, except where something else will decide: a past deadline does in `expireTransfers`, a used nonce once the chain
 * says in a final block what used it, and a holder who doesn't own the token by the node, but does by the index, once
 * one of the two has caught up.
 */
export async function decideRefused(
  worker: SystemContext,
  chain: Chain,
  row: SendingRow,
  { reason, data }: Extract<Simulation, { ok: false }>,
): Promise<'changed' | 'not_ready'> {
  const transfer = await worker.db.signedTransfer.findFirstOrThrow({
    where: { transactionId: row.id },
    include: CARRIED,
  })
  const code = failureCodeOf(data)
  if (code === 'expired') return 'not_ready'
  if (code === 'not_owner' && (await isOwner(worker, transfer))) return 'not_ready'
  const delivery =
    code === 'nonce_used' ? await findDelivery(worker, chain, transfer, (await tipOf(chain)).finalTo) : null
  if (delivery?.is === 'unknown') return 'not_ready'
  await withinTransaction(worker, row.organizationId, async (tx) => {
    if (delivery?.is === 'delivered') {
      await advanceTransfer(tx, row, 'COMPLETED', { txHash: delivery.txHash })
      return abandonTransaction(tx, row, 'CANCELLED', 'Another transaction delivered it.')
    }
    const message = delivery ? NONCE_USED : reason
    await failTransfer(tx, row, code, message)
    await abandonTransaction(tx, row, 'FAILED', message)
  })
  crashPoint('transfer_refused')
  return 'changed'
}

const isOwner = async (worker: SystemContext, { itemId, fromAddress, quantity }: CarriedTransfer): Promise<boolean> =>
  (await worker.db.itemOwner.count({
    where: { itemId, address: fromAddress, quantity: { gte: quantity.toString() } },
  })) > 0
