import type { ClaimState, EmailClaim, Prisma } from '../../generated/prisma/client.ts'
import { type Audited, recordAudits } from '../records/audit/record-audit.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'
import { type Call, call, type Statement } from '../db/statements.ts'

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
    assertNext(state, to)
    const { count } = await tx.db.emailClaim.updateMany({
      where: { id: { in: alike.map(({ id }) => id) }, state },
      data: { ...change, state: to },
    })
    if (count !== alike.length) throw new AppError('conflict', 'The claim changed meanwhile.')
    await recordAudits(
      tx,
      alike.map((claim) => stepOf(claim, to, why)),
    )
  }
}

function assertNext(state: ClaimState, to: ClaimState): void {
  if (!(NEXT[state] as readonly ClaimState[]).includes(to))
    throw new AppError('conflict', `A claim that is ${state} can't become ${to}.`)
}

/** What the audit log says of a step. */
const stepOf = ({ id, state }: Moved, to: ClaimState, why?: string | null): Audited => ({
  action: `email_claim.${to.toLowerCase()}`,
  subject: { type: 'email_claim', id },
  before: { state },
  after: { state: to, ...(why && { why }) },
})

const GUESSED: Statement = {
  name: 'advance_guessed_claims',
  text: `UPDATE email_claims e SET state = g.state::"ClaimState", wrong_pins = g.wrong_pins, link_wrong_pins = g.link_wrong_pins,
      to_address = coalesce(g.to_address, e.to_address),
      redeemed_at = CASE WHEN g.state = 'REDEEMED' THEN $1::timestamptz ELSE e.redeemed_at END, updated_at = $1::timestamptz
    FROM unnest($2::uuid[], $3::text[], $4::int[], $5::int[], $6::text[]) AS g(id, state, wrong_pins, link_wrong_pins, to_address)
    WHERE e.id = g.id`,
}

/** A locked claim at which PINs were guessed. `before`: its state until then. */
type GuessedClaim = {
  ctx: Context
  claim: Moved & Pick<EmailClaim, 'wrongPins' | 'linkWrongPins'>
  before: ClaimState
  why: string | null
  toAddress: string | null
}

/** The statement that writes what guesses have made of locked claims, and the audit entries of those that moved. */
export function advanceGuessedClaims(
  guessed: readonly GuessedClaim[],
  now: Date,
): { change: Call; audits: { ctx: Context; entry: Audited }[] } {
  const moved = guessed.filter(({ claim, before }) => claim.state !== before)
  for (const { claim, before } of moved) assertNext(before, claim.state)
  const change = call(
    GUESSED,
    now,
    guessed.map(({ claim }) => claim.id),
    guessed.map(({ claim }) => claim.state),
    guessed.map(({ claim }) => claim.wrongPins),
    guessed.map(({ claim }) => claim.linkWrongPins),
    guessed.map(({ toAddress }) => toAddress),
  )
  const audits = moved.map(({ ctx, claim, before, why }) => ({
    ctx,
    entry: stepOf({ id: claim.id, state: before }, claim.state, why),
  }))
  return { change, audits }
}
