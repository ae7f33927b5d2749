import type { z } from 'zod'
import type { emailClaim } from '../platform/api/email-claims.ts'
import type { claimItem } from '../platform/api/items.ts'
import type { claimView } from '../platform/api/public-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { type ClaimItemRow, claimItemOf, publicItemOf } from '../catalog/items/show-item.ts'
import { voucherEntryOf } from '../onchain/vouchers/show-voucher.ts'
import { deliveryOf, emailHintOf, inactiveReasonOf, isRedeemed, needsNewLink, NOT_DELIVERED } from './claim-state.ts'
import { claimUrlOf } from './claim-token.ts'
import { campaignIdOf } from './read-claim.ts'
import type { ShownClaim, ViewedClaim } from './shown-claim.ts'

const claimDeliveryOf = (ctx: Pick<Context, 'ports'>, claim: ShownClaim) => {
  const { networkId } = claim.item.collection
  const network = networkId === null ? undefined : ctx.ports.chains.get(networkId)?.network
  return deliveryOf({ networkId, tokenId: claim.item.tokenId, network }, claim.mintRequests[0], claim.vouchers[0])
}

/** The voucher that the recipient can send now; a revoked claim's is being cancelled. */
function pendingVoucherOf(claim: ViewedClaim, now: Date) {
  const [voucher] = claim.vouchers
  if (claim.state === 'REVOKED') return null
  return voucher?.state === 'PENDING' && Number(voucher.expiry) * 1000 > now.getTime() ? voucher : null
}

/** A claim as administrators see it. */
export function emailClaimOf(ctx: Pick<Context, 'ports' | 'now'>, claim: ShownClaim): z.output<typeof emailClaim> {
  const reason = inactiveReasonOf(claim, ctx.now())
  const delivery = claimDeliveryOf(ctx, claim)
  return {
    id: claim.id,
    item_id: claim.itemId,
    collection_id: claim.collectionId,
    token_id: claim.item.tokenId,
    email: claim.email,
    quantity: claim.quantity,
    active: reason === null,
    claimed: isRedeemed(claim),
    claimed_at: claim.txPayer === 'SELLER' ? claim.redeemedAt : claim.claimedAt,
    created_at: claim.createdAt,
    expiration: claim.expiresAt,
    last_pin_code_email_sent_at: claim.lastPinSentAt,
    tx_hash: delivery.tx_hash,
    tx_payer: claim.txPayer,
    voucher_id: claim.vouchers[0]?.id ?? null,
    campaign_id: campaignIdOf(claim),
    locale: claim.locale,
    claim_url: claimUrlOf(ctx, claim),
    inactive_reason: reason,
    new_link_needed: needsNewLink(claim),
    to_address: claim.toAddress,
    opened_at: claim.openedAt,
    redeemed_at: claim.redeemedAt,
    delivered_at: claim.claimedAt,
    declined_at: claim.declinedAt,
    transfer_id: claim.escrowId,
    delivery,
  }
}

/** The link, and what it shows besides its claim. A replaced link has an earlier `generation` than its claim. */
type Link = {
  generation: number
  item: ClaimItemRow
  deployTxHash: string | null
  suspended: boolean
  listing: z.output<typeof claimItem>['listing']
}

/**
 * A claim as its link shows it. A replaced link says only that it was replaced: nothing of the new address or what
 * became of the claim.
 */
export function claimViewOf(
  ctx: Pick<Context, 'ports' | 'now'>,
  claim: ViewedClaim,
  { generation, item, deployTxHash, suspended, listing }: Link,
): z.output<typeof claimView> {
  const ended = inactiveReasonOf(claim, ctx.now(), generation)
  const reason = suspended && (ended === null || ended === 'LOCKED') ? ('SUSPENDED' as const) : ended
  const all = {
    is_active: reason === null,
    inactive_reason: reason,
    organization_id: claim.organizationId,
    quantity: claim.quantity,
    tx_payer: claim.txPayer,
    locale: claim.locale ?? claim.campaign?.locale ?? null,
  }
  if (reason === 'REPLACED')
    return {
      ...all,
      campaign_id: null,
      locale: null,
      is_claimed: false,
      is_declined: false,
      item: null,
      public_item: null,
      voucher: null,
      email_hint: null,
      expires_at: null,
      delivery: NOT_DELIVERED,
    }
  const { origin } = ctx.ports.addresses
  const voucher = suspended ? null : pendingVoucherOf(claim, ctx.now())
  return {
    ...all,
    campaign_id: campaignIdOf(claim),
    is_claimed: isRedeemed(claim),
    is_declined: claim.state === 'REVOKED' && claim.declinedAt !== null,
    item: claimItemOf(item, origin, deployTxHash || null, listing),
    public_item: publicItemOf(item, item.collection, origin),
    voucher: voucher && voucherEntryOf(voucher),
    email_hint: emailHintOf(claim.email),
    expires_at: claim.expiresAt,
    delivery: claimDeliveryOf(ctx, claim),
  }
}
