import type { z } from 'zod'
import { Problem, objectOf } from '@/packages/client/src/call'
import type { Locale } from '@/lib/core/locales'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { waitForPurchase } from '@/lib/platform/api/changes'
import type * as challenges from '@/lib/platform/api/purchase-challenges'
import type * as endpoints from '@/lib/platform/api/purchases'
import { api, route } from '@/components/shared/api'
import type { AskVersion } from '@/components/shared/use-changes'
import type { VoucherEntry } from '@/components/wallet/voucher'
import type { Buyer, Provider } from './listing'
import { solveInWorker } from './solve-in-worker'

/** A purchase as the buyer, who has its secret, sees it. */
export type PurchaseView = Answer<typeof endpoints.getPurchaseIntent>
/** The data that a form needs to charge a card. */
export type CardData = z.input<typeof endpoints.cardData>
export type CreatedPurchase = Answer<typeof endpoints.createPurchaseIntent>

/** `locale`: of the page that it is ordered on, which its mails follow. */
type PurchaseOrder = { listing_id: string; provider: Provider; quantity: number; buyer: Buyer; locale: Locale }
/** The part of an order that the buyer decides. */
export type OrderChoice = Omit<PurchaseOrder, 'listing_id' | 'locale'>

const path = '/public/v1/purchase-intents/{purchase_intent_id}'
const createRoute = route<typeof endpoints.createPurchaseIntent>('POST', '/public/v1/purchase-intents')
const purchaseRoute = route<typeof endpoints.getPurchaseIntent>('GET', path)
const changesRoute = route<typeof waitForPurchase>('GET', `${path}/changes`)
const giveUpRoute = route<typeof endpoints.giveUpPurchaseIntent>('DELETE', path)

/** A challenge is void when the client's address has changed meanwhile, or another of its requests was faster. */
const MAX_PROOFS = 3

/**
 * Reserves the units. Where a proof of work is required, it is computed by a worker and the request sent again, under
 * another idempotency key since its body differs.
 */
export async function createPurchase(
  order: PurchaseOrder,
  idempotencyKey: string,
  onProof?: () => void,
): Promise<CreatedPurchase> {
  let proof: string | undefined
  for (let proofs = 0; ; proofs++) {
    const key = proof === undefined ? idempotencyKey : `${idempotencyKey}.proved.${proofs}`
    try {
      return await api(createRoute, { body: { ...order, ...(proof && { proof }) }, query: {} }, { idempotencyKey: key })
    } catch (failure) {
      const challenge = failure instanceof Problem && failure.code === 'proof_required' ? failure.body.challenge : null
      if (!challenge || proofs === MAX_PROOFS) throw failure
      onProof?.()
      proof = await solveInWorker(objectOf(challenge) as { challenge: string; difficulty: number })
    }
  }
}

const challengeRoute = route<typeof challenges.getAddressChallenge>('GET', `${path}/challenge`)
const takeOverRoute = route<typeof challenges.takeOverPurchaseIntent>('POST', `${path}/take-over`)

/** The typed data that a wallet signs to take over the open voucher purchase of its address. */
export type AddressChallenge = Answer<typeof challenges.getAddressChallenge>

/** Gives the purchase, with a new secret, to whoever can sign with its address. */
export async function takeOver(
  id: string,
  sign: (typedData: AddressChallenge['typed_data']) => Promise<`0x${string}`>,
): Promise<CreatedPurchase> {
  const params = { purchase_intent_id: id }
  const { typed_data } = await api(challengeRoute, { params, query: { action: 'TAKE_OVER' } })
  const signature = await sign(typed_data)
  return api(takeOverRoute, { params, body: { nonce: typed_data.message.nonce, signature } })
}

const inputOf = (id: string, secret: string) => ({ params: { purchase_intent_id: id }, query: { secret } })

export const getPurchase = (id: string, secret: string, signal?: AbortSignal) =>
  api(purchaseRoute, inputOf(id, secret), { signal })

export const askPurchaseVersion =
  (id: string, secret: string): AskVersion =>
  (query, signal) =>
    api(changesRoute, { params: { purchase_intent_id: id }, query: { ...query, secret } }, { signal })

/** Gives the purchase up and releases its units. */
export const giveUp = (id: string, secret: string) => api(giveUpRoute, inputOf(id, secret))

/** The data that a card form needs. null: the purchase can't be paid by card any more. */
export const cardDataOf = ({ data }: PurchaseView): CardData | null => (data && 'client_secret' in data ? data : null)

/** The voucher to pay, while it can be. */
export const voucherOf = ({ data }: PurchaseView): VoucherEntry | null => (data && 'signature' in data ? data : null)

/** The view of the purchase's page, decided from the purchase's public state alone, so that a reload shows the same. */
export type Scene =
  | 'pay_card'
  | 'pay_wallet'
  | 'confirming'
  | 'mailbox'
  | 'preparing'
  | 'on_its_way'
  | 'yours'
  | 'refunding'
  | 'refunded'
  | 'unresolved'
  | 'closing'
  | 'expired'
  | 'given_up'
  | 'lapsed'
  | 'failed'
  | 'suspended'
  | 'paid_suspended'

export function sceneOf(purchase: PurchaseView, now: number): Scene {
  switch (purchase.status) {
    case 'PENDING':
      return purchase.suspended ? 'suspended' : pendingScene(purchase, now)
    case 'EXPIRED':
      if (isPaidBack(purchase)) return 'refunding'
      return purchase.confirmed_at ? 'lapsed' : 'expired'
    case 'CANCELLED':
      if (isPaidBack(purchase)) return 'refunding'
      return purchase.confirmed_at ? 'failed' : 'given_up'
    case 'REFUNDED':
      return 'refunded'
    case 'UNRESOLVED':
      return 'unresolved'
    case 'CONFIRMED':
      return deliveryScene(purchase)
  }
}

/** It was paid, could not be confirmed any more, and its money is on its way back. */
const isPaidBack = ({ provider, confirmed_at, fulfillment_status }: PurchaseView): boolean =>
  provider === 'CARD_PROVIDER' && confirmed_at === null && fulfillment_status === 'EXCEPTION'

function pendingScene({ provider, expires_at }: PurchaseView, now: number): Scene {
  if (provider !== 'CARD_PROVIDER' && provider !== 'MINT_VOUCHER') return 'preparing'
  if (Date.parse(expires_at) <= now) return 'closing'
  return provider === 'CARD_PROVIDER' ? 'pay_card' : 'pay_wallet'
}

function deliveryScene(purchase: PurchaseView): Scene {
  const { provider, fulfillment_status, fulfillment_method, delivery, suspended } = purchase
  if (fulfillment_status === 'EXCEPTION') return provider === 'CARD_PROVIDER' ? 'refunding' : 'failed'
  if (fulfillment_status === 'COMPLETED' || delivery.state === 'CONFIRMED') return 'yours'
  if (delivery.state === 'SUBMITTED') return 'on_its_way'
  if (suspended) return 'paid_suspended'
  if (delivery.state === 'QUEUED') return 'preparing'
  return fulfillment_method === 'EMAIL' ? 'mailbox' : 'preparing'
}

/**
 * The state of the money for the units that could not be delivered while the others were; null where there are none.
 */
export function missingPartOf(purchase: PurchaseView): 'refunded' | 'refunding' | null {
  const { provider, failure, refunded_quantity: refunded, units } = purchase
  if (provider !== 'CARD_PROVIDER') return null
  if (Number(refunded) > 0) return 'refunded'
  const isMissing = units.some(({ delivery }) => delivery.state !== 'CONFIRMED')
  return failure && isMissing ? 'refunding' : null
}

/** Whether it is up to the buyer to pay. */
export const isUnpaid = (scene: Scene): scene is 'pay_card' | 'pay_wallet' =>
  scene === 'pay_card' || scene === 'pay_wallet'

/** Whether the purchase will never show anything else. */
export const isOver = (scene: Scene) =>
  scene === 'yours' || scene === 'refunded' || scene === 'given_up' || scene === 'lapsed' || scene === 'failed'
