import type { Currency } from '../../core/money.ts'

export type CardMode = 'TEST' | 'LIVE'
export type CardAdapterName = 'SANDBOX' | 'STRIPE'

/** An organization's own account at the provider, as it stands there. */
export type CardAccount = {
  id: string
  chargesEnabled: boolean
  /** Whether its owner has told the provider everything it asked for at first. */
  detailsSubmitted: boolean
  /** What the provider still asks for, in its words. */
  requirements: string[]
}

/** A payment as it stands at the provider. Amounts are in minor units of the currency. */
export type CardPayment = {
  id: string
  /** `open`: nothing was paid, and something still may be. */
  status: 'open' | 'processing' | 'succeeded' | 'cancelled'
  amountMinor: bigint
  currency: Currency
  livemode: boolean
  /** What went back for certain: refunds that are only under way don't count. */
  refundedMinor: bigint
  /** The buyer's bank has the money back, or may get it: not once the dispute is decided for the seller. */
  disputed: boolean
  /** Our payment's id, as we gave it when the payment was made. */
  reference: string | null
  /** Why the last try to pay failed, in the provider's words. */
  failure: string | null
}

export type CardRefund = {
  id: string
  status: 'pending' | 'succeeded' | 'failed'
  amountMinor: bigint
  reference: string | null
}

/** Something the provider tells us. What became of it is asked for: events come twice, late, and in any order. */
export type CardEvent = {
  id: string
  type: string
  livemode: boolean
  accountId: string
  /** What it is about. */
  about: { kind: 'payment'; id: string } | { kind: 'account' } | { kind: 'disconnected' } | { kind: 'other' }
}

/**
 * A card provider on which each organization has an account of its own and we are the platform. `key` is an idempotency key:
 * the same key makes the same thing, once. Every call may throw CardsUnavailable; those about an account also CardAccountLost.
 */
export type Cards = {
  adapter: CardAdapterName
  mode: CardMode
  /** The platform's publishable key: pages use it together with the account's id. */
  publishableKey: string
  accounts: {
    open(key: string, about: { name: string; reference: string }): Promise<CardAccount>
    /** A page of the provider where the account's owner tells what is needed. Works once, and not for long. */
    onboardingUrl(accountId: string, back: { returnUrl: string; refreshUrl: string }): Promise<string>
    read(accountId: string): Promise<CardAccount>
  }
  payments: {
    /** A charge on the organization's own account; `feeMinor` of it is ours. */
    create(
      key: string,
      order: {
        accountId: string
        amountMinor: bigint
        feeMinor: bigint
        currency: Currency
        reference: string
        description: string
      },
    ): Promise<CardPayment & { clientSecret: string }>
    read(accountId: string, paymentId: string): Promise<CardPayment>
    /** Answers how it stands afterwards, which may be `succeeded`. */
    cancel(accountId: string, paymentId: string): Promise<CardPayment>
  }
  refunds: {
    /** All of it, our fee included. Throws CardRefused with code `already_refunded` or `disputed` when that is so. */
    create(
      key: string,
      order: { accountId: string; paymentId: string; reference: string; withFee: boolean },
    ): Promise<CardRefund>
    list(accountId: string, paymentId: string): Promise<CardRefund[]>
  }
  /** The event in a signed body. Throws CardEventRefused when the signature is not the provider's, or too old, or from the future. */
  readEvent(body: string, signature: string, now: Date): CardEvent
}

/** The provider did not answer, or not now. Whether it did what was asked is unknown: ask again with the same key. */
export class CardsUnavailable extends Error {
  override readonly name = 'CardsUnavailable'
}

/** The account is not ours to act for any more. */
export class CardAccountLost extends Error {
  override readonly name = 'CardAccountLost'
}

/** The provider said no, and would again. `message` is in its words. */
export class CardRefused extends Error {
  override readonly name = 'CardRefused'
  readonly code: string

  constructor(code: string, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options)
    this.code = code
  }
}

export class CardEventRefused extends Error {
  override readonly name = 'CardEventRefused'
}
