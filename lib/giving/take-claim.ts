import { type Context, inTransaction } from '../platform/auth/context.ts'
import { handoverHash } from '../platform/auth/handover-context.ts'
import { notFound } from '../core/errors.ts'
import { issuedTokenOf } from './claim-token.ts'
import { assertActive, linkOf } from './current-claim.ts'
import { lockLinkedClaim } from './lock-linked-claim.ts'

/**
 * Uses up the code of a handover, and gives the claim's token to whoever showed it. Throws for a code that was used, is
 * too old or was replaced, and for a claim that this link can't redeem any more.
 */
export const takeClaim = (ctx: Context, code: string): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    const claim = await lockLinkedClaim(tx, linkOf(tx).id)
    assertActive(tx, claim)
    const token = issuedTokenOf(claim)
    const { count } = await tx.db.claimHandover.updateMany({
      where: { hash: handoverHash(code), usedAt: null, expiresAt: { gt: tx.now() } },
      data: { usedAt: tx.now() },
    })
    if (count === 0 || token === null) throw notFound()
    return token
  })
