import Stripe from 'stripe'
import type { Currency } from '../../core/money.ts'
import { callStripe } from './call-stripe.ts'
import {
  type CardAccount,
  type CardAdapterName,
  type CardEvent,
  CardEventRefused,
  type CardMode,
  type CardPayment,
  type CardRefund,
  type Cards,
  CardsUnavailable,
} from './cards.ts'
import { pagesOf } from './stripe-pages.ts'

/**
 * The API version of Stripe's published OpenAPI document, which our requests are tested against. Versions from
 * 2026-09-30 on refuse `payment_method_types`: a newer version needs another way to restrict a payment to cards.
 */
const API_VERSION = '2025-09-30.clover'
/** The library's types are those of a newer API version: they allow no other version and lack this parameter. */
const VERSION = { apiVersion: API_VERSION as unknown as Stripe.StripeConfig['apiVersion'] }
type OrderParams = Stripe.PaymentIntentCreateParams & { payment_method_types: ['card'] }
const REQUEST_TIMEOUT_MS = 20_000
/** How far a signed event's time may differ from ours, in either direction. */
const SIGNATURE_TOLERANCE_SECONDS = 300

export type StripeSettings = {
  secretKey: string
  publishableKey: string
  /** An event may be signed with any of them; there are two while one is being replaced. */
  webhookSecrets: readonly string[]
  /** Replaces Stripe's server, for tests. */
  baseUrl?: string
  /** Replaces the network: the sandbox's provider answers within this process. */
  fetch?: (request: Request) => Promise<Response>
  adapter?: CardAdapterName
}

/** The library's client, for our API version. */
export const stripeClient = (settings: StripeSettings): Stripe =>
  new Stripe(settings.secretKey, {
    ...VERSION,
    maxNetworkRetries: settings.fetch ? 0 : 2,
    timeout: REQUEST_TIMEOUT_MS,
    telemetry: false,
    ...serverOf(settings),
  })

/** The mode of a secret, restricted or publishable key. */
export const stripeModeOf = (key: string): CardMode => (/^[rsp]k_live_/.test(key) ? 'LIVE' : 'TEST')

/** Stripe Connect with standard accounts: direct charges on the organization's account, with our application fee. */
export function stripeCards(settings: StripeSettings): Cards {
  const { publishableKey, webhookSecrets, adapter = 'STRIPE' } = settings
  const stripe = stripeClient(settings)
  const mode = stripeModeOf(settings.secretKey)
  const on = (accountId: string) => ({ stripeAccount: accountId })

  /** A charge's `disputed` stays true after its dispute was closed, so the disputes themselves are read. */
  async function readPayment(accountId: string, id: string): Promise<CardPayment> {
    const payment = paymentOf(
      await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.refunds'] }, on(accountId)),
    )
    if (!payment.disputed) return payment
    const { data } = await stripe.disputes.list({ payment_intent: id, limit: 100 }, on(accountId))
    return { ...payment, disputed: data.length === 0 || data.some(({ status }) => !WON_DISPUTES.has(status)) }
  }

  return {
    adapter,
    mode,
    publishableKey,
    accounts: {
      open: (key, { name, reference }) =>
        callStripe(async () =>
          accountOf(
            await stripe.accounts.create(
              { type: 'standard', business_profile: { name }, metadata: { reference } },
              { idempotencyKey: key },
            ),
          ),
        ),
      onboardingUrl: (account, { returnUrl, refreshUrl }) =>
        callStripe(
          async () =>
            (
              await stripe.accountLinks.create({
                account,
                type: 'account_onboarding',
                return_url: returnUrl,
                refresh_url: refreshUrl,
              })
            ).url,
        ),
      read: (accountId) => callStripe(async () => accountOf(await stripe.accounts.retrieve(accountId))),
    },
    payments: {
      create: (key, { accountId, amountMinor, feeMinor, currency, reference, metadata, description }) =>
        callStripe(async () => {
          const order: OrderParams = {
            amount: Number(amountMinor),
            currency: currency.toLowerCase(),
            payment_method_types: ['card'],
            ...(feeMinor > 0n && { application_fee_amount: Number(feeMinor) }),
            description,
            metadata: { ...metadata, reference },
          }
          const intent = await stripe.paymentIntents.create(order, { ...on(accountId), idempotencyKey: key })
          if (!intent.client_secret)
            throw new CardsUnavailable('The card provider made a payment without a client secret.')
          return { ...paymentOf(intent), clientSecret: intent.client_secret }
        }),
      read: (accountId, id) => callStripe(() => readPayment(accountId, id)),
      async *list(accountId, { since }) {
        for await (const page of pagesOf(stripe, accountId, since)) yield page.map(paymentOf)
      },
      async find(accountId, { reference, since }) {
        for await (const page of pagesOf(stripe, accountId, since)) {
          const found = page.find(({ metadata }) => metadata.reference === reference)
          if (!found?.client_secret) continue
          const payment = await callStripe(() => readPayment(accountId, found.id))
          return { ...payment, clientSecret: found.client_secret }
        }
        return null
      },
      cancel: (accountId, id) =>
        callStripe(async () => {
          try {
            return paymentOf(
              await stripe.paymentIntents.cancel(
                id,
                { cancellation_reason: 'abandoned', expand: ['latest_charge.refunds'] },
                on(accountId),
              ),
            )
          } catch (error) {
            // It was paid or cancelled meanwhile, or is being paid now: its current state is the answer.
            if (
              !(error instanceof Stripe.errors.StripeInvalidRequestError) ||
              error.code !== 'payment_intent_unexpected_state'
            )
              throw error
            return readPayment(accountId, id)
          }
        }),
    },
    refunds: {
      create: (key, { accountId, paymentId, reference, withFee, amountMinor }) =>
        callStripe(async () =>
          refundOf(
            await stripe.refunds.create(
              {
                payment_intent: paymentId,
                ...(amountMinor !== null && { amount: Number(amountMinor) }),
                reason: 'requested_by_customer',
                ...(withFee && { refund_application_fee: true }),
                metadata: { reference },
              },
              { ...on(accountId), idempotencyKey: key },
            ),
          ),
        ),
      list: (accountId, paymentId) =>
        callStripe(async () =>
          (await stripe.refunds.list({ payment_intent: paymentId, limit: 100 }, on(accountId))).data.map(refundOf),
        ),
    },
    readEvent: (body, signature, now) => readEvent(stripe, webhookSecrets, body, signature, now),
  }
}

function serverOf({ baseUrl, fetch }: StripeSettings): Stripe.StripeConfig {
  if (fetch)
    return {
      httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) =>
        fetch(new Request(url, init)),
      ),
    }
  if (!baseUrl) return {}
  const { protocol, hostname, port } = new URL(baseUrl)
  return {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
  }
}

const accountOf = (account: Stripe.Account): CardAccount => ({
  id: account.id,
  chargesEnabled: account.charges_enabled,
  detailsSubmitted: account.details_submitted,
  requirements: [
    ...new Set([...(account.requirements?.currently_due ?? []), ...(account.requirements?.past_due ?? [])]),
  ],
})

const STATUS: Readonly<Record<string, CardPayment['status']>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
}

/** Dispute statuses in which the seller keeps the money. */
const WON_DISPUTES: ReadonlySet<string> = new Set(['won', 'warning_closed', 'prevented'])

function paymentOf(intent: Stripe.PaymentIntent): CardPayment {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const refunds = (charge?.refunds?.data ?? []).map(refundOf)
  return {
    id: intent.id,
    status: STATUS[intent.status] ?? 'processing',
    amountMinor: BigInt(intent.amount),
    feeMinor: BigInt(intent.application_fee_amount ?? 0),
    currency: intent.currency.toUpperCase() as Currency,
    livemode: intent.livemode,
    refundedMinor: refunds
      .filter(({ status }) => status === 'succeeded')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    refunds,
    disputed: charge?.disputed ?? false,
    reference: intent.metadata.reference ?? null,
    metadata: intent.metadata,
    createdAt: new Date(intent.created * 1000),
    failure: intent.last_payment_error?.message ?? null,
  }
}

const refundOf = (refund: Stripe.Refund): CardRefund => ({
  id: refund.id,
  status:
    refund.status === 'succeeded'
      ? 'succeeded'
      : refund.status === 'failed' || refund.status === 'canceled'
        ? 'failed'
        : 'pending',
  amountMinor: BigInt(refund.amount),
  reference: refund.metadata?.reference ?? null,
})

function readEvent(stripe: Stripe, secrets: readonly string[], body: string, signature: string, now: Date): CardEvent {
  const signedAt = Number(/(?:^|,)\s*t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? Number.NaN)
  if (!(Math.abs(now.getTime() / 1000 - signedAt) <= SIGNATURE_TOLERANCE_SECONDS))
    throw new CardEventRefused('The event is too old, or from the future.')
  for (const secret of secrets) {
    let event: Stripe.Event
    try {
      event = stripe.webhooks.constructEvent(
        body,
        signature,
        secret,
        SIGNATURE_TOLERANCE_SECONDS + 1,
        undefined,
        now.getTime(),
      )
    } catch {
      continue
    }
    return eventOf(event)
  }
  throw new CardEventRefused('The signature is not the card provider’s.')
}

function eventOf(event: Stripe.Event): CardEvent {
  return {
    id: event.id,
    type: event.type,
    livemode: event.livemode,
    accountId: event.account ?? '',
    about: aboutOf(event),
  }
}

/** The payment that an event is about: its object is one, or a charge, refund or dispute with the payment's id. */
function aboutOf({ type, data }: Stripe.Event): CardEvent['about'] {
  if (type === 'account.application.deauthorized') return { kind: 'disconnected' }
  if (type === 'account.updated') return { kind: 'account' }
  const object = data.object as { id?: string; object?: string; payment_intent?: string | { id: string } | null }
  const named = object.object === 'payment_intent' ? object.id : object.payment_intent
  const id = typeof named === 'object' ? named?.id : named
  return id ? { kind: 'payment', id } : { kind: 'other' }
}
