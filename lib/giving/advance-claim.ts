import type { ClaimState, EmailClaim, Prisma } from '../../generated/prisma/client.ts'
import { recordAudits } from '../records/audit/record-audit.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'

/**
 * The states of a claim. REDEEMED: our mint is under way. CLAIMED: the token is on the chain. A permanently failed mint
 * reopens the claim, or ends it where the item was minted to another address; a reorg moves it back a step; a voucher
 * may still be used whatever the claim's state.
 */
const NEXT = {
  OPEN: ['REDEEMED', 'CLAIMED', 'LOCKED', 'REVOKED', 'EXPIRED'],
  LOCKED: ['OPEN', 'CLAIMED', 'REVOKED', 'EXPIRED'],
  REDEEMED: ['CLAIMED', 'OPEN', 'REVOKED'],
  CLAIMED: ['REDEEMED', 'OPEN', 'LOCKED', 'REVOKED'],
  REVOKED: ['CLAIMED'],
  EXPIRED: ['CLAIMED'],
} as const satisfies Record<ClaimState, readonly ClaimState[]>

type Change = Omit<Prisma.EmailClaimUncheckedUpdateManyInput, 'id' | 'organizationId' | 'state'>

type Moved = Pick<EmailClaim, 'id' | 'state'>

/** Moves a claim one step, with what changes beside it. The only writer of its state. */
export const advanceClaim = (
  tx: Context,
  claim: Moved,
  to: ClaimState,
  change: Change = {},
  why?: string,
): Promise<void> => advanceClaims(tx, [claim], to, change, why)

/** The same for many claims of one organization that move together. */
export async function advanceClaims(
  tx: Context,
  claims: readonly Moved[],
  to: ClaimState,
  change: Change = {},
  why?: string,
): Promise<void> {
  for (const [state, alike] of Map.groupBy(claims, (claim) => claim.state)) {
    if (!(NEXT[state] as readonly ClaimState[]).includes(to))
      throw new AppError('conflict', `A claim that is ${state} can't become ${to}.`)
    const { count } = await tx.db.emailClaim.updateMany({
      where: { id: { in: alike.map(({ id }) => id) }, state },
      data: { ...change, state: to },
    })
    if (count !== alike.length) throw new AppError('conflict', 'The claim changed meanwhile.')
    const action = `email_claim.${to.toLowerCase()}`
    await recordAudits(
      tx,
      alike.map(({ id }) => ({
        action,
        subject: { type: 'email_claim', id },
        before: { state },
        after: { state: to, ...(why && { why }) },
      })),
    )
  }
}
