import type { Context } from '../platform/auth/context.ts'
import { returnHolds } from '../stock/advance-hold.ts'
import { endLostClaim } from './end-lost-claim.ts'
import { reopenClaim } from './reopen-claim.ts'

/**
 * The mint of a redeemed claim failed permanently, or was cancelled. Its units return to the claim, which can be
 * redeemed again; where the item was minted to another address meanwhile, the claim ends.
 */
export async function claimMintFailed(
  tx: Context,
  { mintId, claimId }: { mintId: string; claimId: string },
  reason: string,
): Promise<void> {
  const returned = await returnHolds(tx, { type: 'MINT_REQUEST', id: mintId }, { type: 'CLAIM', id: claimId })
  if (returned.includes('HELD')) await reopenClaim(tx, claimId, reason)
  else await endLostClaim(tx, claimId, reason)
}
