import { FIAT_CURRENCIES } from '../../platform/api/listing-record.ts'
import type { PaymentProvider } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { fieldError } from '../../core/errors.ts'
import { CURRENCIES } from '../../core/money.ts'
import { findPaymentToken } from '../networks/payment-tokens.ts'

type Fiat = (typeof FIAT_CURRENCIES)[number]

const MAX_AMOUNT = 2n ** 256n - 1n

const FREE_PROVIDERS: readonly PaymentProvider[] = ['EMAIL_CLAIM', 'ORGANIZATION', 'BETA_FREE_MINT']

type Offer = {
  currency: string
  price: bigint
  quantity_listed: bigint
  max_quantity_per_tx?: bigint | null | undefined
  payment_providers: PaymentProvider[]
}
export type Currency = { currency: string; currencyAddress: string | null; currencyDecimals: number }

/**
 * The currency of a listing. Throws `currency_invalid` unless its payment providers are all fiat or all crypto and
 * match the currency, and `price_invalid` for a price outside of their limits.
 */
export function currencyOf(ctx: Pick<Context, 'ports'>, networkId: number, offer: Offer): Currency {
  const { payment_providers: providers, price } = offer
  const byCard = providers.includes('CARD_PROVIDER')
  const byVoucher = providers.includes('MINT_VOUCHER')
  if (byCard && byVoucher)
    throw fieldError(
      'currency_invalid',
      'payment_providers',
      'A listing is all fiat or all crypto: CARD_PROVIDER and MINT_VOUCHER need two listings.',
    )
  const free = providers.find((provider) => FREE_PROVIDERS.includes(provider))
  if (free && price !== 0n) throw fieldError('price_invalid', 'price', `${free} gives items away: the price must be 0.`)
  const fiat = FIAT_CURRENCIES.find((code) => code === offer.currency.toUpperCase())
  if (fiat && byVoucher)
    throw fieldError('currency_invalid', 'currency', `Mint vouchers are paid in crypto, not in ${fiat}.`)
  if (fiat) return fiatOf(fiat, offer, byCard)
  if (byCard) throw fieldError('currency_invalid', 'currency', `Cards are charged in ${FIAT_CURRENCIES.join(', ')}.`)
  const token = findPaymentToken(ctx, networkId, offer.currency)
  if (!token)
    throw fieldError(
      'currency_invalid',
      'currency',
      'This is no fiat currency of ours, and no payment token of this network.',
    )
  if (price * offer.quantity_listed > MAX_AMOUNT)
    throw fieldError('price_invalid', 'price', 'The whole listing must cost less than 2^256.')
  return { currency: token.symbol, currencyAddress: token.address, currencyDecimals: token.decimals }
}

function fiatOf(code: Fiat, { price, max_quantity_per_tx }: Offer, byCard: boolean): Currency {
  const { decimals, minMinor, maxMinor } = CURRENCIES[code]
  if (byCard && price < minMinor)
    throw fieldError(
      'price_invalid',
      'price',
      `Cards can’t be charged with less than ${minMinor} minor units of ${code}.`,
    )
  if (price * (max_quantity_per_tx ?? 1n) > maxMinor)
    throw fieldError('price_invalid', 'price', `Cards can’t be charged with more than ${maxMinor} minor units at once.`)
  return { currency: code, currencyAddress: null, currencyDecimals: decimals }
}
