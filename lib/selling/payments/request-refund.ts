import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { refundPayment } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { advancePayment } from './advance-payment.ts'

/**
 * Requests the refund of `amountMinor` of a purchase's money, or (null) of all that is left of it, once: writes the job
 * in the caller's transaction. Requesting again while one is under way changes nothing.
 */
export async function requestRefund(tx: Context, intentId: string, amountMinor: bigint | null = null): Promise<void> {
  const payment = await tx.db.payment.findFirst({ where: { intentId, state: { not: 'CANCELLED' } } })
  if (payment?.state === 'REFUNDING' || payment?.state === 'REFUNDED') return
  if (payment?.state !== 'SUCCEEDED')
    throw new AppError('not_refundable', 'There is no card payment here that could be refunded.')
  await advancePayment(tx, payment, 'REFUNDING', {
    refundId: payment.refundId ?? newId(),
    refundMinor: amountMinor,
    refundTries: 0,
    nextRefundAt: tx.now(),
  })
  await enqueue(tx, refundPayment, { payment_id: payment.id }, { key: payment.id })
}
