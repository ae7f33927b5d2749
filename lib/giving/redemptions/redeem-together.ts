import type { z } from 'zod'
import type { redeemResult } from '../../platform/api/public-claims.ts'
import { carryOutTogether } from '../../core/group-commit.ts'
import { isTemporary } from '../../db/errors.ts'
import { organizationTransaction } from '../../db/organization-transaction.ts'
import { storedTogether } from '../../platform/http/idempotency.ts'
import { judgeRedemptions, type Redemption, type Verdict } from './judge-redemptions.ts'
import { lockClaims } from './lock-claims.ts'
import { redemptionCalls } from './write-redemptions.ts'

/** More would keep the collection locked for longer than a recipient should wait. */
const MOST_TOGETHER = 100
/** What waits longer than a few seconds is refused instead. */
const MOST_WAITING = 2_000

export const MINTED: z.output<typeof redeemResult> = { status: 'CLAIMED', voucher: null }

/**
 * Judges what a redemption shows of its PIN, together with those of the collection's other claims that came while the batch before was written: one
 * transaction judges all of them in the order in which they came, counts what is wrong, and requests the mints of what is right and stores
 * their idempotent results. Throws for a PIN that isn't right. Where something else than a mint is due, only the id of the PIN is given: it
 * is still to be used up.
 */
export async function redeemTogether(order: Redemption): Promise<Exclude<Verdict, { is: 'refused' }>> {
  const verdict = await carryOutTogether<Redemption, Verdict>(
    {
      key: `redemptions ${order.claim.collectionId}`,
      most: MOST_TOGETHER,
      waiting: MOST_WAITING,
      work: redeemBatch,
      isShared: isTemporary,
    },
    order,
  )
  if (verdict.is !== 'refused') return verdict
  throw verdict.error
}

async function redeemBatch(orders: readonly Redemption[]): Promise<readonly Verdict[]> {
  const { ctx } = orders[0]!
  const now = ctx.now()
  const minted = orders.filter(({ mintTo }) => mintTo !== null)
  return organizationTransaction(ctx.organizationId, {}, async (run, last) => {
    const facts = await lockClaims(run, orders.map(claimOf), minted.map(claimOf), now)
    const judged = judgeRedemptions(facts, orders)
    const results = judged.mints.flatMap(({ order }) => order.ctx.storingResult?.(MINTED) ?? [])
    await last(...redemptionCalls(facts, judged, now), ...storedTogether(results))
    return judged.verdicts
  })
}

const claimOf = ({ claim }: Redemption) => claim
