import type { ClaimState, EmailClaim } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { purchaseUndelivered } from '../selling/purchases/purchase-delivered.ts'
import { advanceClaim } from './advance-claim.ts'
import { MOST_WRONG_PINS } from './claim-state.ts'
import { lockClaim } from './read-claim.ts'

/** A reorg took the mint off the chain: ours is on its way again, a voucher's waits to be sent, and the claim is what it was before. */
export async function claimUndelivered(tx: Context, claimId: string): Promise<void> {
  const claim = await lockClaim(tx, claimId)
  if (claim.state !== 'CLAIMED') return
  await advanceClaim(tx, claim, stateBefore(claim), { claimedAt: null }, 'The chain took the mint back.')
  if (claim.purchaseIntentId) await purchaseUndelivered(tx, claim.purchaseIntentId)
}

function stateBefore({ txPayer, revokedAt, wrongPins }: EmailClaim): ClaimState {
  if (txPayer === 'SELLER') return 'REDEEMED'
  if (revokedAt) return 'REVOKED'
  return wrongPins >= MOST_WRONG_PINS ? 'LOCKED' : 'OPEN'
}
