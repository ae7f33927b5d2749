import type { Output } from '../platform/api/endpoint.ts'
import type { createEmailClaim as endpoint } from '../platform/api/email-claims.ts'
import { auditCall } from '../records/audit/record-audit.ts'
import { type Context, isTestKey } from '../platform/auth/context.ts'
import { carryOutTogether } from '../core/group-commit.ts'
import { isTemporary } from '../db/errors.ts'
import { organizationTransaction } from '../db/organization-transaction.ts'
import { storedTogether } from '../platform/http/idempotency.ts'
import { assertWithinQuota } from '../messaging/outbox/mail-quota.ts'
import { eventsCall } from '../messaging/webhooks/record-event.ts'
import { givableUnits } from '../core/stock.ts'
import { soldOut, stockError } from '../stock/hold-units.ts'
import { assertClaimable, type ClaimBody, wantedOf } from './assert-claimable.ts'
import { type ClaimFacts, readClaimFacts } from './claim-facts.ts'
import { claimsCalls, creationOf, type IssuedClaim, issuedOf } from './issue-claim.ts'
import { emailClaimOf } from './show-claim.ts'

type ClaimRequest = { ctx: Context; body: ClaimBody }
type Answer = Output<typeof endpoint>
export type Verdict = { is: 'made'; claim: IssuedClaim; answer: Answer } | { is: 'refused'; error: unknown }

/** More would keep the items locked for longer than others should wait. */
const MOST_TOGETHER = 100
/** At most so many wait. A further one would wait longer than a few seconds, and is refused instead. */
const MOST_WAITING = 2_000

/**
 * Sends an item to an email address: holds the units, and mails the link that redeems them. It is written together with
 * the claims of its organization that were asked for while those before were written.
 */
export async function createClaim(ctx: Context, body: ClaimBody): Promise<Answer> {
  const mode = isTestKey(ctx.actor) ? 'TEST' : undefined
  try {
    const verdict = await carryOutTogether<ClaimRequest, Verdict>(
      {
        key: `claims ${ctx.organizationId} ${mode}`,
        most: MOST_TOGETHER,
        waiting: MOST_WAITING,
        work: (orders) => createBatch(ctx.organizationId, mode, orders),
        isShared: isTemporary,
      },
      { ctx, body },
    )
    if (verdict.is === 'made') return verdict.answer
    throw verdict.error
  } catch (error) {
    throw stockError(error)
  }
}

/** One transaction decides and writes claims in the order in which they came, and stores their idempotent results. */
const createBatch = (
  organizationId: string,
  mode: 'TEST' | undefined,
  orders: readonly ClaimRequest[],
): Promise<Verdict[]> =>
  organizationTransaction(organizationId, { mode }, async (run, last) => {
    const { ctx } = orders[0]!
    const now = ctx.now()
    const wanted = orders.map(({ body }) => wantedOf(body))
    const facts = await readClaimFacts(run, organizationId, wanted, now)
    const judge = judgeOf(facts)
    const verdicts = orders.map(judge)
    const made = verdicts.flatMap((verdict, at) => (verdict.is === 'made' ? { ...verdict, ...orders[at]! } : []))
    if (made.length === 0) return verdicts
    const issued = made.map((order) => ({ claim: order.claim, takes: true, requestId: order.ctx.requestId }))
    const { insert, hold, rest, events } = await claimsCalls(ctx, facts, issued)
    const audits = made.map((order) => ({ ctx: order.ctx, entry: creationOf(order.claim) }))
    const results = made.flatMap((order) => order.ctx.storingResult?.(order.answer) ?? [])
    await last(insert, ...rest, eventsCall(events, now), auditCall(audits, now), ...hold, ...storedTogether(results))
    return verdicts
  })

/** Judges orders one after another: each finds the units and the quota that those before it left. */
export function judgeOf(facts: ClaimFacts): (order: ClaimRequest) => Verdict {
  const taken = new Map<string, bigint>()
  let mails = 0
  return ({ ctx, body }) => {
    try {
      // Its client was told that the request took too long.
      ctx.signal?.throwIfAborted()
      const order = assertClaimable(ctx, facts, body)
      const units = (taken.get(order.itemId) ?? 0n) + order.quantity
      const left = givableUnits(facts.items.get(order.itemId)!)
      if (left !== null && units > left) throw soldOut()
      assertWithinQuota(facts.quota, mails + 1)
      const claim = issuedOf(ctx.organizationId, facts, order)
      const answer = emailClaimOf(ctx, claim)
      taken.set(order.itemId, units)
      mails++
      return { is: 'made', claim, answer }
    } catch (error) {
      return { is: 'refused', error }
    }
  }
}
