import type { Input, Output } from '../platform/api/endpoint.ts'
import type { createEmailClaims as endpoint } from '../platform/api/email-claims.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { asAppError } from '../platform/http/problem.ts'
import { inHalves } from '../core/in-halves.ts'
import { attempt } from '../db/attempt.ts'
import { runIn } from '../db/organization-transaction.ts'
import { recordAudits } from '../records/audit/record-audit.ts'
import { eventsCall } from '../messaging/webhooks/record-event.ts'
import { stockError } from '../stock/hold-units.ts'
import { wantedOf } from './assert-claimable.ts'
import { type ClaimFacts, readClaimFacts } from './claim-facts.ts'
import { judgeOf, type Verdict } from './create-claim.ts'
import { claimsCalls, creationOf } from './issue-claim.ts'

type Made = Extract<Verdict, { is: 'made' }>
type Line = { index: number; made: Made }

/**
 * Creates many claims as `createClaim` does one: each line is carried out or refused by itself, in their order. All of
 * them and the idempotent result are one transaction, whose number of statements doesn't grow with that of the lines.
 */
export const createClaimsInBulk = (
  ctx: Context,
  { claims }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const facts = await readClaimFacts(runIn(tx), tx.organizationId, claims.map(wantedOf), tx.now())
    const judge = judgeOf(facts)
    const verdicts = claims.map((body) => judge({ ctx: tx, body }))
    const lines = verdicts.flatMap((made, index) => (made.is === 'made' ? [{ index, made }] : []))
    for (const [index, error] of await writeLines(tx, facts, lines)) verdicts[index] = { is: 'refused', error }
    return { results: verdicts.map(resultOf) }
  })

/** Writes the claims that the database accepts (`inHalves`). Returns the errors of the others by their lines. */
async function writeLines(tx: Context, facts: ClaimFacts, lines: readonly Line[]): Promise<[number, unknown][]> {
  const work = async (some: readonly Line[]) => {
    const failure = await attempt(tx, () => write(tx, facts, some))
    if (failure) throw failure.error
    return some
  }
  const written = await Promise.allSettled(inHalves({ work, isShared: () => false }, lines))
  return written.flatMap((line, at) => (line.status === 'rejected' ? [[lines[at]!.index, line.reason]] : []))
}

async function write(tx: Context, facts: ClaimFacts, lines: readonly Line[]): Promise<void> {
  const claims = lines.map(({ made }) => made.claim)
  const { insert, hold, rest, events } = await claimsCalls(
    tx,
    facts,
    claims.map((claim) => ({ claim, takes: true, requestId: tx.requestId })),
  )
  await runIn(tx)(insert, ...hold, ...rest, eventsCall(events, tx.now()))
  await recordAudits(tx, claims.map(creationOf))
}

/** Throws what is no line's fault: nothing is written then. */
function resultOf(verdict: Verdict, index: number): Output<typeof endpoint>['results'][number] {
  if (verdict.is === 'made') return { index, status: 201, claim: verdict.answer, problem: null }
  const error = asAppError(stockError(verdict.error))
  if (error.status >= 500) throw error
  const { code, title, status, message: detail, fields: errors } = error
  return { index, status, claim: null, problem: { code, title, status, detail, errors } }
}
