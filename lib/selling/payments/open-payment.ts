import type { Payment, PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { CURRENCIES, feeOf, isCardCurrency, majorOf } from '../../core/money.ts'
import { findActiveIntegration } from '../../offers/listings/find-active-integration.ts'
import { REFUSALS } from '../../offers/listings/obstacles.ts'

/** Throws for what no card can be charged with. */
export function assertChargeable(totalMinor: bigint, currency: string): void {
  if (!isCardCurrency(currency))
    throw new AppError('amount_invalid', `Cards can't be charged in ${currency}. Use USD, EUR, GBP or JPY.`)
  const { minMinor, maxMinor } = CURRENCIES[currency]
  if (totalMinor < minMinor)
    throw new AppError(
      'amount_invalid',
      `The least a card can be charged with is ${majorOf(minMinor, currency)} ${currency}.`,
    )
  if (totalMinor > maxMinor)
    throw new AppError(
      'amount_invalid',
      `The most a card can be charged with is ${majorOf(maxMinor, currency)} ${currency}.`,
    )
}

/**
 * Records that a purchase is to be paid by card, in the purchase's own transaction. The provider is asked afterwards.
 */
export async function openPayment(
  tx: Context,
  intent: Pick<PurchaseIntent, 'id' | 'mode' | 'total' | 'currency'>,
): Promise<Payment> {
  const amountMinor = BigInt(intent.total.toFixed(0))
  assertChargeable(amountMinor, intent.currency)
  const integration = await findActiveIntegration(tx, intent.mode)
  if (!integration) throw REFUSALS.PROVIDER_NOT_CONFIGURED()
  return tx.db.payment.create({
    data: {
      id: newId(),
      organizationId: tx.organizationId,
      intentId: intent.id,
      integrationId: integration.id,
      mode: intent.mode,
      adapter: integration.adapter,
      accountId: integration.accountId,
      amountMinor,
      feeMinor: feeOf(amountMinor, env.PLATFORM_FEE_BPS),
      currency: intent.currency,
      createdAt: tx.now(),
    },
  })
}
