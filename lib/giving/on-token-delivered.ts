import type { ClaimState, EmailClaim } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { purchaseDelivered, purchaseUndelivered } from '../selling/purchases/on-token-delivered.ts'
import { advanceEscrowById } from '../onchain/escrows/advance-escrow.ts'
import { recordEvents } from '../messaging/webhooks/record-event.ts'
import { advanceClaim, advanceClaims } from './advance-claim.ts'
import { claimEventOf } from './claim-event.ts'
import { mailDeliveries } from './claim-mails.ts'
import { MAX_WRONG_PINS, needsNewLink } from './claim-state.ts'
import { lockClaimInFull, lockClaimsInFull, lockClaim } from './read-claim.ts'
import { voidLink } from './void-pins.ts'
import { withdrawClaim } from './withdraw-claim.ts'

/** The transaction that carried it out, and the recipient where the claim doesn't say it. */
type Delivery = { txHash: string; toAddress?: string }

/**
 * The tokens of these claims (by id), all of one organization, are on the chain. Mails and events go out once,
 * even if a reorg undoes the mint and it happens again.
 */
export async function claimsDelivered(tx: Context, deliveries: ReadonlyMap<string, Delivery>): Promise<void> {
  const claims = (await lockClaimsInFull(tx, [...deliveries.keys()])).map((claim) => {
    const { txHash, toAddress = claim.toAddress } = deliveries.get(claim.id)!
    return { ...claim, txHash, toAddress }
  })
  if (claims.length === 0) return
  const arrived = claims.filter(({ state }) => state !== 'CLAIMED')
  const now = tx.now()
  const steps = arrived.map((claim) => ({
    claim,
    to: 'CLAIMED' as const,
    change: { claimedAt: now, redeemedAt: claim.redeemedAt ?? now, toAddress: claim.toAddress },
  }))
  await advanceClaims(tx, steps)
  for (const { escrowId } of arrived) if (escrowId) await advanceEscrowById(tx, escrowId, 'TAKEN')
  for (const { purchaseIntentId } of claims) if (purchaseIntentId) await purchaseDelivered(tx, purchaseIntentId)
  const events = claims.map((claim) => ({
    organizationId: tx.organizationId,
    type: 'claim.delivered' as const,
    key: claim.id,
    data: claimEventOf(claim, { to_address: claim.toAddress, tx_hash: claim.txHash }),
  }))
  const told = new Set(await recordEvents(tx, events))
  const arrivals = claims.flatMap((claim) =>
    told.has(claim.id) && claim.toAddress ? [{ claim, address: claim.toAddress, txHash: claim.txHash }] : [],
  )
  await mailDeliveries(tx, arrivals)
}

/**
 * The claim was redeemed before a backup was put back, and the chain has its mint: it is delivered, and its link and
 * PINs are used up.
 */
export async function claimRedeemedBefore(tx: Context, claimId: string, delivery: Required<Delivery>): Promise<void> {
  await claimsDelivered(tx, new Map([[claimId, delivery]]))
  await voidLink(tx, claimId)
}

/**
 * The token of a claim's escrow went back to its sender before a backup was put back: the claim ends, and nobody is
 * told that it was delivered.
 */
export async function claimReturnedBefore(tx: Context, claimId: string): Promise<void> {
  const claim = await lockClaimInFull(tx, claimId)
  await withdrawClaim(tx, claim)
  await advanceEscrowById(tx, claim.escrowId!, 'RETURNED')
}

/**
 * A reorg undid the mint: ours is under way again, a voucher can be sent again, and the claim returns to its earlier
 * state.
 */
export async function claimUndelivered(tx: Context, claimId: string): Promise<void> {
  const claim = await lockClaim(tx, claimId)
  if (claim.state !== 'CLAIMED') return
  await advanceClaim(tx, claim, stateBefore(claim), { claimedAt: null }, 'The chain took the mint back.')
  if (claim.escrowId) await advanceEscrowById(tx, claim.escrowId, 'OFFERED')
  if (claim.purchaseIntentId) await purchaseUndelivered(tx, claim.purchaseIntentId)
}

function stateBefore({ txPayer, revokedAt, wrongPins, linkWrongPins }: EmailClaim): ClaimState {
  if (txPayer === 'SELLER') return 'REDEEMED'
  if (revokedAt) return 'REVOKED'
  return wrongPins >= MAX_WRONG_PINS || needsNewLink({ linkWrongPins }) ? 'LOCKED' : 'OPEN'
}
