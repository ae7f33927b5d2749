import type { Context } from '../auth/context.ts'
import { advanceClaim } from './advance-claim.ts'
import { lockClaim } from './read-claim.ts'

/** A reorg took the mint off the chain: ours is on its way again, a voucher's waits to be sent, and the claim is what it was before. */
export async function claimUndelivered(ctx: Context, claimId: string): Promise<void> {
  const claim = await lockClaim(ctx, claimId)
  if (claim.state !== 'CLAIMED') return
  const tx = { ...ctx, organizationId: claim.organizationId }
  const before = claim.txPayer === 'SELLER' ? 'REDEEMED' : claim.revokedAt ? 'REVOKED' : 'OPEN'
  await advanceClaim(tx, claim, before, { claimedAt: null }, 'The chain took the mint back.')
}
