import type { ClaimState, EmailClaim } from '../../generated/prisma/client.ts'
import { assertNext, changedMeanwhile, stateTable, stepOf } from '../records/audit/advance-rows.ts'
import { type Audited, recordAudits } from '../records/audit/record-audit.ts'
import type { Context } from '../platform/auth/context.ts'
import { runIn } from '../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../db/statements.ts'

/**
 * The states of a claim. REDEEMED: our mint is under way. CLAIMED: the token is on the chain. A permanently failed mint
 * reopens the claim, or ends it where the item was minted to another address; a reorg moves it back a step; a voucher
 * may still be used whatever the claim's state.
 */
const CLAIM = stateTable<ClaimState>('claim', 'email_claim.*', {
  OPEN: ['REDEEMED', 'CLAIMED', 'LOCKED', 'REVOKED', 'EXPIRED'],
  LOCKED: ['OPEN', 'CLAIMED', 'REVOKED', 'EXPIRED'],
  REDEEMED: ['CLAIMED', 'OPEN', 'REVOKED'],
  CLAIMED: ['REDEEMED', 'OPEN', 'LOCKED', 'REVOKED'],
  REVOKED: ['CLAIMED'],
  EXPIRED: ['CLAIMED'],
})

const COLUMNS = {
  wrongPins: 'wrong_pins',
  linkWrongPins: 'link_wrong_pins',
  toAddress: 'to_address',
  expiresAt: 'expires_at',
  redeemedAt: 'redeemed_at',
  claimedAt: 'claimed_at',
  revokedAt: 'revoked_at',
  declinedAt: 'declined_at',
} as const satisfies { [name in keyof EmailClaim]?: string }
const changeable = Object.values(COLUMNS).join(', ')

type Change = Partial<Pick<EmailClaim, keyof typeof COLUMNS>>
type Moved = Pick<EmailClaim, 'id' | 'state'>
/** A claim as it was read, the state that it gets, if that changes, and what else changes. `why`: for the audit log. */
export type ClaimStep = { claim: Moved; to?: ClaimState; change: Change; why?: string | null }

/**
 * Of unnest PostgreSQL expects ten rows, of jsonb_to_recordset a hundred: for these it would read a table of ten
 * thousand claims as a whole.
 */
const ADVANCE: Statement = {
  name: 'advance_claims',
  text: `UPDATE email_claims e SET state = s.next::"ClaimState", updated_at = $1::timestamptz,
      (${changeable}) = (SELECT ${changeable} FROM jsonb_populate_record(e, s.change))
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::jsonb[]) AS s(id, state, next, change)
    WHERE e.id = s.id AND e.state = s.state::"ClaimState" RETURNING e.id`,
}

/** The statement that changes claims. The only writer of their states. */
export function advanceClaimsCall(steps: readonly ClaimStep[], now: Date): Call {
  for (const { claim, to } of steps) if (to) assertNext(CLAIM, claim.state, to)
  return call(
    ADVANCE,
    now,
    steps.map(({ claim }) => claim.id),
    steps.map(({ claim }) => claim.state),
    steps.map(({ claim, to = claim.state }) => to),
    steps.map(({ change }) =>
      JSON.stringify(
        Object.fromEntries(Object.entries(change).map(([name, value]) => [COLUMNS[name as keyof Change], value])),
      ),
    ),
  )
}

/** The audit entry of a step; none where the state stays the same. */
export const claimStepAudits = ({ claim, to, why }: ClaimStep): Audited[] =>
  to ? [stepOf(CLAIM, claim, to, why ? { why } : {})] : []

/**
 * Changes claims of one organization, with one statement. Of two callers racing for the same step one gets `conflict`.
 */
export async function advanceClaims(tx: Context, steps: readonly ClaimStep[]): Promise<void> {
  if (steps.length === 0) return
  const [moved] = await runIn(tx)(advanceClaimsCall(steps, tx.now()))
  if (moved!.length !== steps.length) throw changedMeanwhile(CLAIM)
  await recordAudits(tx, steps.flatMap(claimStepAudits))
}

/** Moves a claim one step, with what changes beside it. */
export const advanceClaim = (
  tx: Context,
  claim: Moved,
  to: ClaimState,
  change: Change = {},
  why?: string,
): Promise<void> => advanceClaims(tx, [{ claim, to, change, ...(why && { why }) }])
