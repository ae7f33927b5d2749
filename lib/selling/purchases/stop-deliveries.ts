import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { endClaim } from '../../giving/end-claim.ts'
import { advanceMint } from '../../onchain/mints/advance-mint.ts'

/** Stops what can still be stopped of a purchase's deliveries: open claims and mints that aren't signed yet. What holds their units becomes the purchase itself. */
export async function stopDeliveries(tx: Context, intent: PurchaseIntent, reason: string): Promise<void> {
  const claims = await tx.db.emailClaim.findMany({
    where: { purchaseIntentId: intent.id, state: { in: ['OPEN', 'LOCKED', 'REDEEMED'] } },
    orderBy: { id: 'asc' },
  })
  const waiting = await tx.db.mintRequest.findMany({
    where: { state: 'WAITING', OR: [{ purchaseIntentId: intent.id }, { claimId: { in: claims.map(({ id }) => id) } }] },
    orderBy: { id: 'asc' },
  })
  // A claim whose mint is taken back opens again, and ends with the others.
  for (const mint of waiting) await advanceMint(tx, mint, 'CANCELLED', { failure: reason })
  for (const { id } of claims) await endClaim(tx, id)
}
