import type { Address, Hex } from 'viem'
import type { PictureItem } from '@/components/ui/picture'
import { request } from '@/components/wallet/request'
import type { VoucherEntry } from '@/components/wallet/voucher'

export type InactiveReason = 'EXPIRED' | 'LOCKED' | 'REVOKED' | 'CLAIMED' | 'REPLACED'
export type DeliveryState = 'NOT_STARTED' | 'QUEUED' | 'SUBMITTED' | 'CONFIRMED' | 'FAILED'

export type Delivery = {
  state: DeliveryState
  tx_hash: Hex | null
  network_id: number | null
  token_id: string | null
  explorer_url: string | null
  failure: string | null
}

/** The public state of a claim, as P3 shows it. A replaced link shows no more than that it was replaced. */
export type ClaimView = {
  is_active: boolean
  is_claimed: boolean
  inactive_reason: InactiveReason | null
  item: ClaimItem | null
  quantity: number
  voucher: VoucherEntry | null
  email_hint: string | null
  expires_at: string | null
  tx_payer: 'SELLER' | 'BUYER'
  delivery: Delivery | null
}

export type ClaimItem = PictureItem & {
  id: string
  token_id: string | null
  token_contract: { address: Address | null; network_id: number | null } | null
}

export type RedeemResult = { status: 'CLAIMED' | 'VOUCHER_ISSUED'; voucher: VoucherEntry | null }

const path = (token: string, verb = '') => `/email-claims/${encodeURIComponent(token)}${verb}`

export const getClaim = (token: string, signal?: AbortSignal) => request<ClaimView>('GET', path(token), signal ? { signal } : {})

/** Says that a person opened the link. A figure only: it may fail silently. */
export const sayOpened = (token: string) => request<void>('POST', path(token, '/opened')).catch(() => undefined)

export const sendPin = (token: string) => request<unknown>('POST', path(token, '/verify'))

/** The key makes a repeated attempt after a lost answer return that answer instead of an error. */
export const redeem = (token: string, body: { address: string; pin: string }, idempotencyKey: string) =>
  request<RedeemResult>('POST', path(token, '/redeem'), { body, idempotencyKey })

/** What the page shows, decided from the claim's public state alone, so that a reload comes back to the same place. */
export type Scene = 'open' | 'voucher' | 'confirming' | 'on_its_way' | 'yours' | 'expired' | 'locked' | 'revoked' | 'replaced'

export function sceneOf(claim: ClaimView, now: number): Scene {
  const state = claim.delivery?.state ?? 'NOT_STARTED'
  if (claim.inactive_reason === 'REPLACED') return 'replaced'
  if (state === 'CONFIRMED') return 'yours'
  if (state === 'SUBMITTED') return 'on_its_way'
  if (state === 'QUEUED') return 'confirming'
  if (claim.inactive_reason === 'CLAIMED') return state === 'FAILED' ? 'on_its_way' : 'confirming'
  if (claim.inactive_reason === 'REVOKED') return 'revoked'
  if (claim.voucher && claim.voucher.voucher.expiry * 1000 > now) return 'voucher'
  if (claim.inactive_reason === 'EXPIRED') return 'expired'
  if (claim.inactive_reason === 'LOCKED') return 'locked'
  return 'open'
}

/** Whether the page should go on asking for news. */
export const isMoving = (scene: Scene) => scene === 'confirming' || scene === 'on_its_way'
