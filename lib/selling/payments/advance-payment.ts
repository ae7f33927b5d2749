import type { Payment, PaymentState, Prisma } from '../../../generated/prisma/client.ts'
import { advanceRows } from '../../records/audit/advance-rows.ts'
import type { Context } from '../../platform/auth/context.ts'
import { PAYMENT } from './payment-state.ts'

type Change = Omit<Prisma.PaymentUncheckedUpdateManyInput, 'id' | 'organizationId' | 'state'>

/** Moves a payment one step, with what changes beside it. The only writer of its state. */
export async function advancePayment(
  tx: Context,
  payment: Pick<Payment, 'id' | 'state' | 'intentId'>,
  to: PaymentState,
  change: Change = {},
): Promise<void> {
  const { id, state, intentId } = payment
  const write = () => tx.db.payment.updateMany({ where: { id, state }, data: { ...change, state: to } })
  await advanceRows(tx, PAYMENT, [payment], to, write, () => ({ purchase_intent_id: intentId }))
}
