import type { Payment, PaymentState, Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { NEXT } from './payment-state.ts'

type Change = Omit<Prisma.PaymentUncheckedUpdateManyInput, 'id' | 'organizationId' | 'state'>

/** Moves a payment one step, with what changes beside it. The only writer of its state. */
export async function advancePayment(
  tx: Context,
  payment: Pick<Payment, 'id' | 'state' | 'intentId'>,
  to: PaymentState,
  change: Change = {},
): Promise<void> {
  if (!(NEXT[payment.state] as readonly PaymentState[]).includes(to))
    throw new AppError('conflict', `A payment that is ${payment.state} can't become ${to}.`)
  const { count } = await tx.db.payment.updateMany({
    where: { id: payment.id, state: payment.state },
    data: { ...change, state: to },
  })
  if (count === 0) throw new AppError('conflict', 'The payment changed meanwhile.')
  const subject = { type: 'payment', id: payment.id }
  await recordAudit(tx, {
    action: `payment.${to.toLowerCase()}`,
    subject,
    before: { state: payment.state },
    after: { state: to, purchase_intent_id: payment.intentId },
  })
}
