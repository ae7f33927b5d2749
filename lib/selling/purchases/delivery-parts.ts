import type { Context } from '../../platform/auth/context.ts'

export type Parts = {
  /** Deliveries that may still succeed. */
  live: number
  /** Items whose units are on the chain. */
  delivered: Set<string>
  /** It was delivered by claims, and all of them expired. */
  ranOut: boolean
}

/** How far a purchase's deliveries are: by our mints, by claims, or by the buyer's voucher. */
export async function partsOf(tx: Context, intentId: string): Promise<Parts> {
  const mints = await tx.db.mintRequest.findMany({
    where: { purchaseIntentId: intentId },
    select: { itemId: true, state: true },
  })
  const claims = await tx.db.emailClaim.findMany({
    where: { purchaseIntentId: intentId },
    select: { itemId: true, state: true, vouchers: { where: { state: 'PENDING' }, select: { id: true } } },
  })
  const vouchers = await tx.db.voucher.findMany({
    where: { purchaseIntentId: intentId },
    select: { itemId: true, state: true },
  })
  const delivered = new Set([
    ...mints.filter(({ state }) => state === 'COMPLETED').map(({ itemId }) => itemId),
    ...claims.filter(({ state }) => state === 'CLAIMED').map(({ itemId }) => itemId),
    ...vouchers.filter(({ state }) => state === 'REDEEMED').map(({ itemId }) => itemId),
  ])
  const live =
    mints.filter(({ state }) => state === 'WAITING' || state === 'SUBMITTED').length +
    claims.filter(
      ({ state, vouchers: pending }) =>
        state === 'OPEN' || state === 'LOCKED' || state === 'REDEEMED' || (state !== 'CLAIMED' && pending.length > 0),
    ).length +
    vouchers.filter(({ state }) => state === 'PENDING').length +
    // Facts of the chain about a voucher that aren't applied yet may still deliver.
    (await tx.db.voucherFact.count({
      where: { voucher: { OR: [{ purchaseIntentId: intentId }, { claim: { purchaseIntentId: intentId } }] } },
    }))
  return { live, delivered, ranOut: claims.length > 0 && claims.every(({ state }) => state === 'EXPIRED') }
}
