import type { Cards } from '../../ports/cards/cards.ts'
import { CardAccountLost, CardRefused, CardsUnavailable } from '../../ports/cards/cards.ts'
import type { Payment, PaymentIntegration } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { sentenceOf } from '../../core/sentence.ts'

/** The provider where new accounts of a mode are opened; null when this installation has none for it. */
export const cardsFor = (ctx: Pick<Context, 'ports'>, mode: 'TEST' | 'LIVE'): Cards | null =>
  ctx.ports.cards.inUse[mode]

/** The provider that has this account. Throws when its keys were taken out of the settings. */
export function cardsOf(
  ctx: Pick<Context, 'ports'>,
  row: Pick<Payment | PaymentIntegration, 'adapter' | 'mode'>,
): Cards {
  const cards = ctx.ports.cards.known.find((known) => known.adapter === row.adapter && known.mode === row.mode)
  if (!cards) throw new CardsUnavailable(`This installation has no keys for ${row.adapter} ${row.mode} any more.`)
  return cards
}

/** Turns the provider's failures into errors for the caller. */
export async function withCallerErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof CardsUnavailable)
      throw new AppError('unavailable', 'The card provider does not answer right now. Try again in a moment.', {
        cause: error,
        retryAfterSeconds: 5,
      })
    if (error instanceof CardAccountLost)
      throw new AppError('card_provider_refused', 'The card account is no longer connected. Connect it again.', {
        cause: error,
      })
    if (error instanceof CardRefused)
      throw new AppError('card_provider_refused', `The card provider refused: ${sentenceOf(error.message)}`, {
        cause: error,
      })
    throw error
  }
}
