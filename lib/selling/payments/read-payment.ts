import type { Payment } from '../../../generated/prisma/client.ts'
import { crashPoint } from '../../core/crash.ts'
import { askOutside } from '../../db/ask-outside.ts'
import type { Context } from '../../platform/auth/context.ts'
import { applyProviderState } from './apply-provider-state.ts'
import { cardsOf } from './card-gateway.ts'

/**
 * Asks the provider about a payment and records what it says. Returns the payment as it is then. Call it outside of
 * transactions.
 */
export const readPayment = (ctx: Context, payment: Payment, providerId: string): Promise<Payment> =>
  askOutside(
    ctx,
    { table: 'payments', id: payment.id },
    async () => {
      const facts = await cardsOf(ctx, payment).payments.read(payment.accountId, providerId)
      crashPoint('payment_read')
      return facts
    },
    (answer) => applyProviderState(ctx, answer),
  )
