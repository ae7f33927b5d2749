import type { z } from 'zod'
import type { Answer } from '@/lib/platform/api/endpoint'
import type * as api from '@/lib/platform/api/purchases'
import { solveProof } from '@/lib/core/proof-of-work'
import { Problem, request } from '@/components/shared/request'
import type { VoucherEntry } from '@/components/wallet/voucher'
import type { Buyer, Provider } from './listing'

/** One buyer's purchase, as whoever holds its secret sees it. */
export type PurchaseView = Answer<typeof api.getPurchaseIntent>
export type Unit = PurchaseView['units'][number]
/** What is needed to pay by card, as the contract has it. */
export type CardData = z.input<typeof api.cardData>
export type CreatedPurchase = Answer<typeof api.createPurchaseIntent>

export type PurchaseOrder = { listing_id: string; provider: Provider; quantity: number; buyer: Buyer }

/**
 * Reserves the units. Where the seller asks for a proof of work, it is done here and the order sent once more: under a key
 * of its own, made by `nextKey`, since another body is another request.
 */
export async function createPurchase(
  order: PurchaseOrder,
  idempotencyKey: string,
  onProof?: () => void,
): Promise<CreatedPurchase> {
  const send = (body: object, key: string) =>
    request<CreatedPurchase>('POST', '/purchase-intents', { body, idempotencyKey: key })
  try {
    return await send(order, idempotencyKey)
  } catch (failure) {
    const challenge = failure instanceof Problem && failure.code === 'proof_required' ? challengeIn(failure.body) : null
    if (!challenge) throw failure
    onProof?.()
    return send(
      { ...order, proof: await solveProof(challenge.challenge, challenge.difficulty) },
      `${idempotencyKey}.proved`,
    )
  }
}

type Challenge = { challenge: string; difficulty: number }

function challengeIn({ challenge }: Record<string, unknown>): Challenge | null {
  return typeof challenge === 'object' && challenge !== null ? (challenge as Challenge) : null
}

/** What a card form needs, while the purchase can still be paid by card. */
export const cardDataOf = ({ data }: PurchaseView): CardData | null => (data && 'client_secret' in data ? data : null)

/** The voucher to pay, while it can be. */
export const voucherOf = ({ data }: PurchaseView): VoucherEntry | null => (data && 'signature' in data ? data : null)

const pathOf = (id: string, secret: string) =>
  `/purchase-intents/${encodeURIComponent(id)}?${new URLSearchParams({ secret })}`

export const getPurchase = (id: string, secret: string, signal?: AbortSignal) =>
  request<PurchaseView>('GET', pathOf(id, secret), signal ? { signal } : {})

/** Gives the purchase up, and frees what it held. */
export const giveUp = (id: string, secret: string) => request<void>('DELETE', pathOf(id, secret))

/** What the page shows, decided from the purchase's public state alone, so that a reload comes back to the same place. */
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

export function sceneOf(purchase: PurchaseView, now: number): Scene {
  switch (purchase.status) {
    case 'PENDING':
      return pendingScene(purchase, now)
    case 'EXPIRED':
      return purchase.confirmed_at ? 'lapsed' : 'expired'
    case 'CANCELLED':
      return purchase.confirmed_at ? 'failed' : 'given_up'
    case 'REFUNDED':
      return 'refunded'
    case 'UNRESOLVED':
      return 'unresolved'
    case 'CONFIRMED':
      return deliveryScene(purchase)
  }
}

function pendingScene({ provider, expires_at }: PurchaseView, now: number): Scene {
  if (provider !== 'CARD_PROVIDER' && provider !== 'MINT_VOUCHER') return 'preparing'
  if (Date.parse(expires_at) <= now) return 'closing'
  return provider === 'CARD_PROVIDER' ? 'pay_card' : 'pay_wallet'
}

function deliveryScene({ provider, fulfillment_status, fulfillment_method, delivery }: PurchaseView): Scene {
  if (fulfillment_status === 'EXCEPTION') return provider === 'CARD_PROVIDER' ? 'refunding' : 'failed'
  if (fulfillment_status === 'COMPLETED' || delivery.state === 'CONFIRMED') return 'yours'
  if (delivery.state === 'SUBMITTED') return 'on_its_way'
  if (delivery.state === 'QUEUED') return 'preparing'
  return fulfillment_method === 'EMAIL' ? 'mailbox' : 'preparing'
}

/** How soon the page should ask for news, in milliseconds; false when there won't be any. */
export function newsIn(scene: Scene): number | false {
  return news[scene]
}

const news = {
  pay_card: 5_000,
  pay_wallet: 5_000,
  confirming: 2_000,
  mailbox: 10_000,
  preparing: 2_000,
  on_its_way: 2_000,
  yours: false,
  refunding: 5_000,
  refunded: false,
  unresolved: 15_000,
  closing: 2_000,
  expired: 30_000,
  given_up: false,
  lapsed: false,
  failed: false,
} satisfies Record<Scene, number | false>
