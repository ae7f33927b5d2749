import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { inFull } from '../../giving/read-claim.ts'
import { withdrawClaim } from '../../giving/withdraw-claim.ts'
import { withdrawMints } from '../../onchain/mints/advance-mint.ts'
import { returnHolds } from '../../stock/advance-hold.ts'
import { findConsumedHolds } from '../../stock/find-consumed-holds.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'

/**
 * Stops what can still be stopped of a purchase's deliveries: mints that aren't signed yet, and claims that are open or
 * wait for such a mint. Their units return to the purchase; those of a claim whose voucher is valid, once the chain has
 * cancelled it. Call it with the purchase and its claims locked. Returns how many deliveries returned their units.
 */
export async function stopDeliveries(tx: Context, { id: intentId }: PurchaseIntent, reason: string): Promise<number> {
  const purchase = { type: 'PURCHASE' as const, id: intentId }
  const claims = await tx.db.emailClaim.findMany({
    where: { purchaseIntentId: intentId, state: { in: ['OPEN', 'LOCKED', 'REDEEMED'] } },
    ...inFull,
    orderBy: { id: 'asc' },
  })
  const waiting = await tx.db.mintRequest.findMany({
    where: {
      state: 'WAITING',
      OR: [{ purchaseIntentId: intentId }, { claimId: { in: claims.map(({ id }) => id) } }],
    },
    orderBy: { id: 'asc' },
  })
  // Of locked items no log is entered. A mint that is on the chain, sent before a backup was put back, is a delivery.
  await lockItemRows(
    tx,
    waiting.map(({ itemId }) => itemId),
  )
  const minted = await findConsumedHolds(
    tx,
    waiting.map(({ id }) => id),
  )
  const mints = waiting.filter(({ id }) => !minted.some(({ holderId }) => holderId === id))
  await withdrawMints(tx, mints, reason)
  for (const { id } of mints) await returnHolds(tx, { type: 'MINT_REQUEST', id }, purchase)

  const withdrawn = new Set(mints.flatMap(({ claimId }) => claimId ?? []))
  let stopped = mints.length
  for (const claim of claims) {
    // The mint of any other redeemed claim was signed: the chain decides about it.
    if (claim.state === 'REDEEMED' && !withdrawn.has(claim.id)) continue
    if ((await withdrawClaim(tx, claim)) === 'voucher_out') continue
    await returnHolds(tx, { type: 'CLAIM', id: claim.id }, purchase)
    if (!withdrawn.has(claim.id)) stopped++
  }
  return stopped
}
