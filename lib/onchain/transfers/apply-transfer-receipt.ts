import { isAddressEqual, type Address } from 'viem'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { TransferFailure } from '../../platform/api/transfers.ts'
import type { Chain, Receipt } from '../../ports/chain/chain.ts'
import { decodeTokenLog } from '../../core/contracts/token-logs.ts'
import { completeTransactions, type Place } from '../transactions/advance-transaction.ts'
import type { SendingRow } from '../transactions/sending-row.ts'
import { advanceTransfer } from './advance-transfer.ts'
import { findDelivery, isNonceUsedAnywhere } from './find-delivery.ts'
import { CARRIED, type CarriedTransfer, callOf, contractOf, orderOf } from './order-of.ts'
import { failureCodeOf, NONCE_USED } from './transfer-failures.ts'

const REVERTED = 'The transaction reverted on chain.'

type Applied = { receipt: Receipt; place: Place; isFinal: boolean; finalTo: bigint }
type Verdict =
  { to: 'COMPLETED'; txHash: string } | { to: 'FAILED'; failure: { code: TransferFailure; message: string } }

/**
 * Applies the confirmed receipt of a transaction that carries a signed transfer. It is delivered when its log is in the
 * receipt. What reverted is decided in a final block: anyone may have sent the same signature before us, and then it is
 * delivered all the same.
 */
export async function applyTransferReceipt(
  worker: SystemContext,
  chain: Chain,
  row: SendingRow,
  { receipt, place, isFinal, finalTo }: Applied,
): Promise<void> {
  const transfer = await worker.db.signedTransfer.findFirstOrThrow({
    where: { transactionId: row.id },
    include: CARRIED,
  })
  const isOpen = transfer.state === 'SUBMITTED'
  const isMoved = receipt.status === 'success' && isMovedIn(receipt, transfer)
  const verdict: Verdict | null = isMoved
    ? { to: 'COMPLETED', txHash: place.txHash }
    : isFinal && isOpen
      ? await verdictOf(worker, chain, transfer, finalTo, row.operator as Address)
      : null
  // On a network without finality nobody would look at it again.
  if (isOpen && isFinal && !verdict) return
  await withinTransaction(worker, row.organizationId, async (tx) => {
    const isReverted = receipt.status === 'reverted'
    const onChainStatus = isReverted ? 'FAILURE' : 'SUCCESS'
    if (row.state === 'SUBMITTED')
      await completeTransactions(tx, [{ row, place, onChainStatus, failure: isReverted ? REVERTED : null }])
    if (isOpen && verdict) await advanceTransfer(tx, row, verdict.to, verdict)
  })
}

/** Whether a receipt has the move that the transfer of a transaction orders. */
export async function isTransferred(worker: SystemContext, { id }: SendingRow, receipt: Receipt): Promise<boolean> {
  const transfer = await worker.db.signedTransfer.findFirstOrThrow({ where: { transactionId: id }, include: CARRIED })
  return isMovedIn(receipt, transfer)
}

/** Whether the contract moved the token as its holder ordered. */
function isMovedIn({ logs }: Receipt, transfer: CarriedTransfer): boolean {
  const order = orderOf(transfer)
  return logs
    .filter(({ address }) => isAddressEqual(address, contractOf(transfer)))
    .map(decodeTokenLog)
    .some(
      (log) =>
        log?.type === 'MOVED' &&
        log.moves.some(
          ({ from, to, tokenId, quantity }) =>
            isAddressEqual(from, order.from) &&
            isAddressEqual(to, order.to) &&
            tokenId === order.tokenId &&
            quantity === order.quantity,
        ),
    )
}

/**
 * The verdict on a transfer that reverted in a final block; null while the index, or a node, is behind. Nothing is sent
 * for it again, so it has failed, although somebody else may still send the same signature until its deadline.
 */
async function verdictOf(
  worker: SystemContext,
  chain: Chain,
  transfer: CarriedTransfer,
  finalTo: bigint,
  operator: Address,
): Promise<Verdict | null> {
  const delivery = await findDelivery(worker, chain, transfer, finalTo)
  if (delivery.is === 'delivered') return { to: 'COMPLETED', txHash: delivery.txHash }
  if (delivery.is === 'elsewhere') return { to: 'FAILED', failure: { code: 'nonce_used', message: NONCE_USED } }
  if (await isNonceUsedAnywhere(chain, transfer)) return null
  const data = callOf(transfer, transfer.collection.tokenType!)
  const again = await chain.simulate({ from: operator, to: contractOf(transfer), data })
  if (again.ok) return { to: 'FAILED', failure: { code: 'reverted', message: REVERTED } }
  const code = failureCodeOf(again.data)
  return code === 'nonce_used' ? null : { to: 'FAILED', failure: { code, message: again.reason } }
}
