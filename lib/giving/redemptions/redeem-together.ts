import type { Output } from '../../platform/api/endpoint.ts'
import type { redeemClaim as endpoint } from '../../platform/api/public-claims.ts'
import { carryOutTogether } from '../../core/group-commit.ts'
import { isTemporary } from '../../db/errors.ts'
import { organizationTransaction } from '../../db/organization-transaction.ts'
import { storedTogether } from '../../platform/http/idempotency.ts'
import { voucherEntryOf } from '../../onchain/vouchers/show-voucher.ts'
import { judgeRedemptions, type Redemption, type Verdict } from './judge-redemptions.ts'
import { lockClaims } from './lock-claims.ts'
import { redemptionCalls } from './write-redemptions.ts'

/** More would keep the collection locked for longer than a recipient should wait. */
const MOST_TOGETHER = 100
/** At most so many wait. A further one would wait longer than a few seconds, and is refused instead. */
const MOST_WAITING = 2_000

/** The answer to a redemption; null where nothing was redeemed. */
export const resultOf = (verdict: Verdict): Output<typeof endpoint> | null =>
  verdict.is === 'minted'
    ? { status: 'CLAIMED', voucher: null }
    : verdict.is === 'issued'
      ? { status: 'VOUCHER_ISSUED', voucher: voucherEntryOf(verdict.voucher) }
      : null

/**
 * Judges what a redemption shows of its PIN, together with those of the collection's other claims that came while the
 * batch before was written: one transaction judges all of them in the order in which they came, counts what is wrong,
 * and requests the mints and issues the vouchers of what is right and stores their idempotent results. Throws for a PIN
 * that isn't right.
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

/**
 * Judges only what is shown, and gives the id of its PIN, which is still to be used up. Throws for one that isn't
 * right.
 */
export async function judgeShown(order: Omit<Redemption, 'mintTo' | 'voucher'>): Promise<string> {
  const verdict = await redeemTogether({ ...order, mintTo: null })
  if (verdict.is !== 'right') throw new Error('A PIN that was only shown has redeemed its claim.')
  return verdict.pinId
}

async function redeemBatch(orders: readonly Redemption[]): Promise<readonly Verdict[]> {
  const { ctx } = orders[0]!
  const now = ctx.now()
  const minted = orders.filter(({ mintTo }) => mintTo !== null).map(claimOf)
  const vouched = orders.filter(({ voucher }) => voucher).map(claimOf)
  return organizationTransaction(ctx.organizationId, {}, async (run, last) => {
    const facts = await lockClaims(run, orders.map(claimOf), { minted, vouched }, now)
    const judged = judgeRedemptions(facts, orders)
    const results = judged.verdicts.flatMap((verdict, at) => {
      const result = resultOf(verdict)
      return (result && orders[at]!.ctx.storingResult?.(result)) ?? []
    })
    await last(...redemptionCalls(facts, judged, now), ...storedTogether(results))
    return judged.verdicts
  })
}

const claimOf = ({ claim }: Redemption) => claim
