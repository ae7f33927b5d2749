import type { Currency } from '../../core/money.ts'

export type CardMode = 'TEST' | 'LIVE'
export type CardAdapterName = 'SANDBOX' | 'STRIPE'

/** The state of an organization's own account at the provider. */
export type CardAccount = {
  id: string
  chargesEnabled: boolean
  /** Whether the owner has completed the provider's onboarding form. */
  detailsSubmitted: boolean
  /** Requirements of the provider that aren't met yet, in its own names. */
  requirements: string[]
}

/** The state of a payment at the provider. Amounts are in minor units of the currency. */
export type CardPayment = {
  id: string
  /** `open`: nothing was paid yet, and the buyer can still pay. */
  status: 'open' | 'processing' | 'succeeded' | 'cancelled'
  amountMinor: bigint
  /** The part of it that goes to the platform. */
  feeMinor: bigint
  currency: Currency
  livemode: boolean
  /** The sum of completed refunds; pending ones don't count. */
  refundedMinor: bigint
  /** Its refunds, whoever made them. */
  refunds: CardRefund[]
  /** A dispute is open or was lost, so the buyer's bank has the money or may get it. false once the seller won. */
  disputed: boolean
  /** Our payment's id, given when the payment was created. */
  reference: string | null
  /** Everything that the payment was labelled with, by us or by the account's owner. */
  metadata: Readonly<Record<string, string>>
  createdAt: Date
  /** Why the last attempt to pay failed, in the provider's words. */
  failure: string | null
}

/** A payment in a list, which doesn't tell of refunds and disputes. */
export type ListedPayment = Omit<CardPayment, 'refundedMinor' | 'refunds' | 'disputed'>

export type CardRefund = {
  id: string
  status: 'pending' | 'succeeded' | 'failed'
  amountMinor: bigint
  reference: string | null
}

/**
 * A provider's notification. Events arrive more than once, late, and in any order, so handlers read the state of what
 * an event is about instead of trusting its contents.
 */
export type CardEvent = {
  id: string
  type: string
  livemode: boolean
  accountId: string
  /** `disconnected`: the owner revoked our access to the account. */
  about: { kind: 'payment'; id: string } | { kind: 'account' } | { kind: 'disconnected' } | { kind: 'other' }
}

/**
 * A card provider where each organization has its own account and we are the platform. Amounts are in minor units of
 * the currency.
 *
 * `key` is an idempotency key: repeating a call with the same key and arguments gives the same object and creates
 * nothing again. Every call may throw CardsUnavailable (repeat it with the same key) and CardRefused; those about an
 * account also CardAccountLost.
 */
export type Cards = {
  adapter: CardAdapterName
  mode: CardMode
  /** The platform's publishable key, which pages use together with the account's id. */
  publishableKey: string
  accounts: {
    /** Opens an account. `name` is shown in onboarding; `reference` is our id for it. */
    open(key: string, about: { name: string; reference: string }): Promise<CardAccount>
    /**
     * A URL of the provider's onboarding form for the account's owner. It works once and expires within minutes; the
     * provider then sends the owner to `refreshUrl`, and after the form to `returnUrl`. Each call makes a new one.
     */
    onboardingUrl(accountId: string, back: { returnUrl: string; refreshUrl: string }): Promise<string>
    /** The account's current state. */
    read(accountId: string): Promise<CardAccount>
  }
  payments: {
    /**
     * Creates an open payment on the organization's account; `feeMinor` of it goes to the platform. The buyer's page
     * pays it with the client secret. `reference` is our payment's id; `metadata` is stored with it, so that lists and
     * reads return both.
     */
    create(
      key: string,
      order: {
        accountId: string
        amountMinor: bigint
        feeMinor: bigint
        currency: Currency
        reference: string
        metadata: Readonly<Record<string, string>>
        description: string
      },
    ): Promise<CardPayment & { clientSecret: string }>
    /** The payment's current state. */
    read(accountId: string, paymentId: string): Promise<CardPayment>
    /**
     * All payments of the account created at `since` or later, whoever made them, newest first, in pages of at most
     * 100. Only a list that ends without an error is complete.
     */
    list(accountId: string, range: { since: Date }): AsyncIterable<ListedPayment[]>
    /**
     * The payment with this reference among those created at `since` or later, with its client secret; null when the
     * complete list has none.
     */
    find(
      accountId: string,
      which: { reference: string; since: Date },
    ): Promise<(CardPayment & { clientSecret: string }) | null>
    /**
     * Cancels an open payment and gives its state afterwards: `succeeded` when it was paid meanwhile. Safe to repeat.
     */
    cancel(accountId: string, paymentId: string): Promise<CardPayment>
  }
  refunds: {
    /**
     * Refunds `amountMinor` of the payment, or (null) all that isn't refunded yet; with `withFee` the same share of the
     * platform's fee too. The refund may be pending. Throws CardRefused with code `already_refunded` or `disputed`
     * where that is the reason.
     */
    create(
      key: string,
      order: { accountId: string; paymentId: string; reference: string; withFee: boolean; amountMinor: bigint | null },
    ): Promise<CardRefund>
    /** All refunds of a payment, newest first. */
    list(accountId: string, paymentId: string): Promise<CardRefund[]>
  }
  /**
   * Verifies and parses the raw body of a webhook. `signature` is the provider's signature header. Throws
   * CardEventRefused when no webhook secret verifies it, or its time is more than 5 minutes from `now`. Does no I/O.
   */
  readEvent(body: string, signature: string, now: Date): CardEvent
}

/**
 * The provider did not answer, or is busy. Whether it carried the request out is unknown; repeat it with the same key.
 */
export class CardsUnavailable extends Error {
  override readonly name = 'CardsUnavailable'
}

/** Our access to the account was revoked. */
export class CardAccountLost extends Error {
  override readonly name = 'CardAccountLost'
}

/** The provider refused permanently. `code` is ours or the provider's; the message is in its words. */
export class CardRefused extends Error {
  override readonly name = 'CardRefused'
  readonly code: string

  constructor(code: string, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options)
    this.code = code
  }
}

/** A webhook's signature or time is not valid. */
export class CardEventRefused extends Error {
  override readonly name = 'CardEventRefused'
}
