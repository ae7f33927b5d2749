import type { Answer } from '@/lib/platform/api/endpoint'
import type * as api from '@/lib/platform/api/public-claims'
import { request } from '@/components/shared/request'

/** The public state of a claim, as P3 shows it. */
export type ClaimView = Answer<typeof api.getClaimView>
export type ClaimItem = NonNullable<ClaimView['item']>
type RedeemResult = Answer<typeof api.redeemClaim>

const path = (token: string, verb = '') => `/email-claims/${encodeURIComponent(token)}${verb}`

export const getClaim = (token: string, signal?: AbortSignal) =>
  request<ClaimView>('GET', path(token), signal ? { signal } : {})

/** Says that a person opened the link. A figure only: it may fail silently. */
export const sayOpened = (token: string) => request<void>('POST', path(token, '/opened')).catch(() => undefined)

export const sendPin = (token: string) => request<unknown>('POST', path(token, '/verify'))

/** The key makes a repeated attempt after a lost answer return that answer instead of an error. */
export const redeem = (token: string, body: { address: string; pin: string }, idempotencyKey: string) =>
  request<RedeemResult>('POST', path(token, '/redeem'), { body, idempotencyKey })

/** What the page shows, decided from the claim's public state alone, so that a reload comes back to the same place. */
export type Scene =
  'open' | 'voucher' | 'confirming' | 'on_its_way' | 'yours' | 'expired' | 'locked' | 'revoked' | 'replaced'

export function sceneOf(claim: ClaimView, now: number): Scene {
  const { state } = claim.delivery
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
