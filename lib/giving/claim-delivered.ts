import type { Context } from '../platform/auth/context.ts'
import { purchaseDelivered } from '../selling/purchases/purchase-delivered.ts'
import { recordEvents } from '../messaging/webhooks/record-event.ts'
import { advanceClaims } from './advance-claim.ts'
import { claimEventOf } from './claim-event.ts'
import { mailArrivals } from './claim-mails.ts'
import { lockAllInFull } from './read-claim.ts'

type Delivery = { txHash: string; toAddress?: string }

/** The token is on the chain. `toAddress` where a voucher said so; our own mints know it already. */
export const claimDelivered = (tx: Context, claimId: string, delivery: Delivery): Promise<void> =>
  claimsDelivered(tx, [claimId], delivery)

/**
 * The tokens of these claims, all of one organization, came on the chain together. Told once: a reorg that undoes the mint and a
 * second arrival write no second mail and no second event.
 */
export async function claimsDelivered(
  tx: Context,
  claimIds: readonly string[],
  { txHash, toAddress }: Delivery,
): Promise<void> {
  const claims = (await lockAllInFull(tx, claimIds)).map((claim) => ({
    ...claim,
    toAddress: toAddress ?? claim.toAddress,
  }))
  if (claims.length === 0) return
  const arrived = claims.filter(({ state }) => state !== 'CLAIMED')
  await advanceClaims(tx, arrived, 'CLAIMED', { claimedAt: tx.now(), ...(toAddress && { toAddress }) })
  const unsaid = arrived.filter(({ redeemedAt }) => !redeemedAt).map(({ id }) => id)
  if (unsaid.length > 0)
    await tx.db.emailClaim.updateMany({ where: { id: { in: unsaid } }, data: { redeemedAt: tx.now() } })
  for (const { purchaseIntentId } of claims) if (purchaseIntentId) await purchaseDelivered(tx, purchaseIntentId)
  const events = claims.map((claim) => ({
    organizationId: tx.organizationId,
    type: 'claim.delivered' as const,
    key: claim.id,
    data: claimEventOf(claim, { to_address: claim.toAddress, tx_hash: txHash }),
  }))
  const told = new Set(await recordEvents(tx, events))
  const arrivals = claims.flatMap((claim) =>
    told.has(claim.id) && claim.toAddress ? [{ claim, address: claim.toAddress }] : [],
  )
  await mailArrivals(tx, arrivals, txHash)
}
