import type { z } from 'zod'
import type {
  Campaign,
  ClaimToken,
  Collection,
  EmailClaim,
  Item,
  MintRequest,
  Transaction,
  Voucher,
} from '../../generated/prisma/client.ts'
import type { emailClaim } from '../platform/api/email-claims.ts'
import type { claimView } from '../platform/api/public-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { isSuspended } from '../platform/auth/suspended.ts'
import { getClaimItems } from './get-claim-items.ts'
import { voucherEntryOf } from '../onchain/vouchers/show-voucher.ts'
import { deliveryOf, emailHintOf, inactiveReasonOf, needsNewLink, NOT_DELIVERED } from './claim-state.ts'
import { claimUrlOf } from './claim-token.ts'
import { campaignIdOf, type ClaimRow } from './read-claim.ts'

/** What is shown of a claim, the newest of each first. */
type ShownClaim = EmailClaim & {
  item: Pick<Item, 'tokenId'> & { collection: Pick<Collection, 'networkId'> }
  campaign: Pick<Campaign, 'id'> | null
  mintRequests: readonly (Pick<MintRequest, 'state' | 'txHash' | 'failure'> & {
    transaction: Pick<Transaction, 'txHash'>
  })[]
  vouchers: readonly Pick<Voucher, 'id' | 'state' | 'txHash'>[]
  tokens: readonly Pick<ClaimToken, 'hash'>[]
}

const claimDeliveryOf = (ctx: Pick<Context, 'ports'>, claim: ShownClaim) => {
  const { networkId } = claim.item.collection
  const network = networkId === null ? undefined : ctx.ports.chains.get(networkId)?.network
  return deliveryOf({ networkId, tokenId: claim.item.tokenId, network }, claim.mintRequests[0], claim.vouchers[0])
}

const isClaimed = ({ state }: ShownClaim) => state === 'REDEEMED' || state === 'CLAIMED'

/** The voucher that the recipient can send now; a revoked claim's is being cancelled. */
function pendingVoucherOf(claim: ClaimRow, now: Date) {
  const [voucher] = claim.vouchers
  if (claim.state === 'REVOKED') return null
  return voucher?.state === 'PENDING' && Number(voucher.expiry) * 1000 > now.getTime() ? voucher : null
}

/** What administrators see. */
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
    claimed: isClaimed(claim),
    claimed_at: claim.txPayer === 'SELLER' ? claim.redeemedAt : claim.claimedAt,
    created_at: claim.createdAt,
    expiration: claim.expiresAt,
    last_pin_code_email_sent_at: claim.lastPinSentAt,
    tx_hash: delivery.tx_hash,
    tx_payer: claim.txPayer,
    voucher_id: claim.vouchers[0]?.id ?? null,
    campaign_id: campaignIdOf(claim),
    claim_url: claimUrlOf(ctx, claim),
    inactive_reason: reason,
    new_link_needed: needsNewLink(claim),
    to_address: claim.toAddress,
    opened_at: claim.openedAt,
    redeemed_at: claim.redeemedAt,
    delivered_at: claim.claimedAt,
    delivery,
  }
}

/** What the link shows. A replaced link says only that it was replaced: nothing of the new address or what became of it. */
export async function claimViewOf(
  ctx: Context,
  claim: ClaimRow,
  generation = claim.generation,
): Promise<z.output<typeof claimView>> {
  const ended = inactiveReasonOf(claim, ctx.now(), generation)
  const suspended = await isSuspended(ctx, claim)
  const reason = suspended && (ended === null || ended === 'LOCKED') ? ('SUSPENDED' as const) : ended
  const all = {
    is_active: reason === null,
    inactive_reason: reason,
    organization_id: claim.organizationId,
    quantity: claim.quantity,
    tx_payer: claim.txPayer,
  }
  if (reason === 'REPLACED')
    return {
      ...all,
      campaign_id: null,
      is_claimed: false,
      item: null,
      public_item: null,
      voucher: null,
      email_hint: null,
      expires_at: null,
      delivery: NOT_DELIVERED,
    }
  const { item, public_item } = await getClaimItems(ctx, claim.itemId)
  const voucher = suspended ? null : pendingVoucherOf(claim, ctx.now())
  return {
    ...all,
    campaign_id: campaignIdOf(claim),
    is_claimed: isClaimed(claim),
    item,
    public_item,
    voucher: voucher && voucherEntryOf(voucher),
    email_hint: emailHintOf(claim.email),
    expires_at: claim.expiresAt,
    delivery: claimDeliveryOf(ctx, claim),
  }
}
