import type { Address } from 'viem'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { waitForClaim } from '@/lib/platform/api/changes'
import type { getPublicItem } from '@/lib/platform/api/items'
import type * as endpoints from '@/lib/platform/api/public-claims'
import { api, route } from '@/components/shared/api'
import { Problem } from '@/packages/client/src/call'
import type { AskVersion } from '@/components/shared/use-changes'

/** The public state of a claim. */
export type ClaimView = Answer<typeof endpoints.getClaimView>
export type ClaimItem = NonNullable<ClaimView['item']>

const claimRoute = route<typeof endpoints.getClaimView>('GET', '/public/v1/email-claims/{claim_token}')
const changesRoute = route<typeof waitForClaim>('GET', '/public/v1/email-claims/{claim_token}/changes')
const openedRoute = route<typeof endpoints.openClaim>('POST', '/public/v1/email-claims/{claim_token}/opened')
const pinRoute = route<typeof endpoints.sendPin>('POST', '/public/v1/email-claims/{claim_token}/verify')
const proveRoute = route<typeof endpoints.provePin>('POST', '/public/v1/email-claims/{claim_token}/pin')
const recipientRoute = route<typeof endpoints.checkRecipient>('GET', '/public/v1/email-claims/{claim_token}/recipient')
const declineRoute = route<typeof endpoints.declineClaim>('POST', '/public/v1/email-claims/{claim_token}/decline')
const nameRoute = route<typeof endpoints.resolveRecipientName>(
  'POST',
  '/public/v1/email-claims/{claim_token}/recipient-name',
)
const handoverRoute = route<typeof endpoints.handOverClaim>('POST', '/public/v1/email-claims/{claim_token}/handover')
const redeemRoute = route<typeof endpoints.redeemClaim>('POST', '/public/v1/email-claims/{claim_token}/redeem')

const itemRoute = route<typeof getPublicItem>('GET', '/public/v1/items/{item_id}')

const paramsOf = (token: string) => ({ params: { claim_token: token } })

export const getClaim = (token: string, signal?: AbortSignal) => api(claimRoute, paramsOf(token), { signal })

export const askClaimVersion =
  (token: string): AskVersion =>
  (query, signal) =>
    api(changesRoute, { ...paramsOf(token), query }, { signal })

/** Whether an item has a page that anybody may open. */
export async function isItemPublic(itemId: string): Promise<boolean> {
  try {
    await api(itemRoute, { params: { item_id: itemId } })
    return true
  } catch (failure) {
    if (failure instanceof Problem && failure.status === 404) return false
    throw failure
  }
}

/** Counts that a person opened the link. Only a statistic depends on it, so a failure is ignored. */
export const reportOpened = (token: string) => api(openedRoute, paramsOf(token)).catch(() => undefined)

export const sendPin = (token: string) => api(pinRoute, paramsOf(token))

/** Shows the PIN. With a right one this browser gets a cookie that redeems the claim. */
export const provePin = (token: string, pin: string) => api(proveRoute, { ...paramsOf(token), body: { pin } })

/**
 * A warning to the recipient about an address before it is used, as a key of `claim.place`. null: there is none, or it
 * can't be found out now.
 */
export async function warningAbout(token: string, address: string): Promise<'sendersOwn' | 'contract' | null> {
  const found = await api(recipientRoute, { ...paramsOf(token), query: { address } }).catch(() => null)
  if (found?.is_senders_own) return 'sendersOwn'
  return found?.is_contract ? 'contract' : null
}

/** The address of an ENS name; null where none was found. */
export const addressOfName = async (token: string, name: string): Promise<Address | null> =>
  (await api(nameRoute, { ...paramsOf(token), body: { name } })).address as Address | null

/**
 * Redeems with that cookie, or with the PIN. A repeat under the same key returns the first result, also when its
 * response was lost.
 */
export const redeem = (token: string, address: string, idempotencyKey: string, pin?: string) =>
  api(redeemRoute, { ...paramsOf(token), body: { address, ...(pin !== undefined && { pin }) } }, { idempotencyKey })

/** Makes an address that opens the claim in another browser, without its token. */
export const handOver = (token: string) => api(handoverRoute, paramsOf(token))

/** Declines the gift with the same cookie, or with the PIN. */
export const decline = (token: string, pin?: string) =>
  api(declineRoute, { ...paramsOf(token), body: pin === undefined ? {} : { pin } })

/** The view of the claim's page, decided from the claim's public state alone, so that a reload shows the same. */
export type Scene =
  | 'open'
  | 'voucher'
  | 'confirming'
  | 'on_its_way'
  | 'yours'
  | 'expired'
  | 'locked'
  | 'revoked'
  | 'declined'
  | 'replaced'
  | 'suspended'

export function sceneOf(claim: ClaimView, now: number): Scene {
  const { state } = claim.delivery
  if (claim.inactive_reason === 'REPLACED') return 'replaced'
  if (state === 'CONFIRMED') return 'yours'
  if (state === 'SUBMITTED') return 'on_its_way'
  if (state === 'QUEUED') return 'confirming'
  if (claim.inactive_reason === 'CLAIMED') return state === 'FAILED' ? 'on_its_way' : 'confirming'
  if (claim.inactive_reason === 'REVOKED') return claim.is_declined ? 'declined' : 'revoked'
  if (claim.inactive_reason === 'SUSPENDED') return 'suspended'
  if (claim.voucher && claim.voucher.voucher.expiry * 1000 > now) return 'voucher'
  if (claim.inactive_reason === 'EXPIRED') return 'expired'
  if (claim.inactive_reason === 'LOCKED') return 'locked'
  return 'open'
}

/** Whether the link will never show anything else. */
export const isOver = (scene: Scene) =>
  scene === 'yours' || scene === 'revoked' || scene === 'declined' || scene === 'replaced'
