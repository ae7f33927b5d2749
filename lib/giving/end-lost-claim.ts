import type { EmailClaim, Item } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'
import { advanceClaim } from './advance-claim.ts'
import { returnClaimUnits } from './return-claim-units.ts'
import { lockClaim } from './read-claim.ts'

const claimLostError = () =>
  new AppError(
    'sold_out',
    'This item went to somebody else on the chain, by another’s hand. ' +
      'The sender has been told; ask them for another one.',
  )

/** Our mint failed permanently because the item was minted to another address: nothing is left to redeem. */
export async function endLostClaim(tx: Context, claimId: string, reason: string): Promise<void> {
  const claim = await lockClaim(tx, claimId)
  if (claim.state !== 'REDEEMED') return
  await advanceClaim(tx, claim, 'REVOKED', { revokedAt: tx.now() }, reason)
  // A purchase behind it is refunded.
  await returnClaimUnits(tx, claim, 'REVOKED')
}

type Held = Pick<EmailClaim, 'escrowId'> & { isHeld: boolean; item: Pick<Item, 'minted' | 'custodian'> }

/**
 * Throws for a claim whose units were minted to another address, without counting a try. Where nothing is minted, a
 * reorg undid that mint and the hold is restored soon; so did one that took the token of an escrow from its operator.
 */
export function assertStillHeld({ isHeld, item, escrowId }: Held): void {
  const isAway = escrowId !== null && item.custodian === null
  if (isHeld && !isAway) return
  if (item.minted === 0n || isAway)
    throw new AppError('unavailable', 'The network is just putting this back in order. Try again in a minute.', {
      retryAfterSeconds: 30,
    })
  throw claimLostError()
}
