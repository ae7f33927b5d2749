import type { ClaimState, EmailClaim, Prisma } from '../../generated/prisma/client.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../auth/context.ts'
import { AppError } from '../core/errors.ts'

/**
 * The life of a claim. REDEEMED: our mint is on its way; CLAIMED: the token is on the chain. A mint that failed for good
 * opens it again (or ends it, where the chain gave the item to another), a reorg takes it back a step, and a voucher may be minted whatever became of its claim.
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

/** Moves a claim one step, with what changes beside it. The only writer of its state. */
export async function advanceClaim(tx: Context, claim: Pick<EmailClaim, 'id' | 'state'>, to: ClaimState, change: Change = {}, why?: string): Promise<void> {
  if (!(NEXT[claim.state] as readonly ClaimState[]).includes(to)) throw new AppError('conflict', `A claim that is ${claim.state} can't become ${to}.`)
  const { count } = await tx.db.emailClaim.updateMany({ where: { id: claim.id, state: claim.state }, data: { ...change, state: to } })
  if (count === 0) throw new AppError('conflict', 'The claim changed meanwhile.')
  const subject = { type: 'email_claim', id: claim.id }
  await recordAudit(tx, { action: `email_claim.${to.toLowerCase()}`, subject, before: { state: claim.state }, after: { state: to, ...(why && { why }) } })
}
