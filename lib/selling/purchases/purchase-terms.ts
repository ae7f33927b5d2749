import type { FulfillmentMethod, Listing, PaymentProvider } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { createPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import { HOUR } from '../../core/clock.ts'
import { fieldError } from '../../core/errors.ts'
import { obstacleOf } from '../../offers/listings/obstacles.ts'
import type { FoundOffer } from '../../offers/listings/offer.ts'
import { assertSelling } from '../../offers/listings/units.ts'
import type { Context } from '../../platform/auth/context.ts'

type Body = Input<typeof endpoint>['body']

/** The terms on which a buyer wants to buy from a listing, with every default filled in. */
export type PurchaseTerms = {
  provider: PaymentProvider
  method: FulfillmentMethod
  quantity: bigint
  buyer: { email: string | null; address: string | null }
}

const METHODS = {
  CARD_PROVIDER: 'TRANSFER',
  MINT_VOUCHER: 'VOUCHER',
  EMAIL_CLAIM: 'EMAIL',
  ORGANIZATION: 'TRANSFER',
  BETA_FREE_MINT: 'TRANSFER',
} as const satisfies Record<PaymentProvider, FulfillmentMethod>

/** Reads a request against its listing; throws for what is missing. */
export function purchaseTermsOf(
  listing: Pick<Listing, 'paymentProviders' | 'maxQuantityPerTx'>,
  body: Body,
): PurchaseTerms {
  const provider = providerOf(listing.paymentProviders, body.provider ?? null)
  const quantity = body.quantity ?? 1n
  assertFewAtOnce(listing, quantity)
  const buyer = { email: body.buyer.email ?? null, address: body.buyer.eth_address ?? null }
  const missing = missingOf(provider, buyer)
  if (missing) throw fieldError('buyer_invalid', missing.field, missing.detail)
  const method = provider === 'CARD_PROVIDER' && !buyer.address ? 'EMAIL' : METHODS[provider]
  return { provider, method, quantity, buyer }
}

/** Throws `quantity_invalid` for more units than one purchase may have. */
export function assertFewAtOnce({ maxQuantityPerTx }: Pick<Listing, 'maxQuantityPerTx'>, quantity: bigint): void {
  if (quantity > maxQuantityPerTx)
    throw fieldError(
      'quantity_invalid',
      'quantity',
      `At most ${maxQuantityPerTx} of this listing can be bought at once.`,
    )
}

/** Throws where eligibility says that nobody can buy now, in the way that is asked for. */
export const assertOffered = (
  moment: Pick<Context, 'ports' | 'now'>,
  offer: FoundOffer,
  { provider, quantity }: Pick<PurchaseTerms, 'provider' | 'quantity'>,
): void => assertSelling({ ...offer, obstacle: obstacleOf(moment, offer, [provider]) }, quantity, moment.now())

function providerOf(offered: readonly PaymentProvider[], wanted: PaymentProvider | null): PaymentProvider {
  const ways = `This listing offers ${offered.join(', ')}.`
  if (wanted === null && offered.length !== 1)
    throw fieldError('provider_required', 'provider', `Say how it is to be paid. ${ways}`)
  const provider = wanted ?? offered[0]!
  if (!offered.includes(provider))
    throw fieldError('provider_not_offered', 'provider', `This listing doesn’t offer ${provider}. ${ways}`)
  return provider
}

function missingOf(
  provider: PaymentProvider,
  { email, address }: PurchaseTerms['buyer'],
): { field: string; detail: string } | null {
  if (provider === 'CARD_PROVIDER')
    return email || address
      ? null
      : {
          field: 'buyer',
          detail: 'Give an email, an address, or both: the address gets the item, the email the receipt.',
        }
  if (provider === 'EMAIL_CLAIM')
    return email ? null : { field: 'buyer.email', detail: 'Give the email that the item is to be sent to.' }
  return address ? null : { field: 'buyer.eth_address', detail: 'Give the address that gets the item.' }
}

/** How long units are held for a buyer who hasn't paid. A free purchase is confirmed at once. */
const SESSION_SECONDS = {
  CARD_PROVIDER: HOUR / 2,
  MINT_VOUCHER: HOUR / 2,
  EMAIL_CLAIM: 0,
  ORGANIZATION: 0,
  BETA_FREE_MINT: 0,
} as const satisfies Record<PaymentProvider, number>

export function sessionSecondsOf(
  { sessionSeconds, sessionOverride }: Pick<Listing, 'sessionSeconds' | 'sessionOverride'>,
  provider: PaymentProvider,
): number {
  if (SESSION_SECONDS[provider] === 0) return 0
  const own = (sessionOverride as Partial<Record<PaymentProvider, number>> | null)?.[provider]
  return own ?? sessionSeconds ?? SESSION_SECONDS[provider]
}
