import type { Context } from '../auth/context.ts'
import { purchaseDelivered } from '../purchases/purchase-delivered.ts'
import { recordEvent } from '../webhooks/record-event.ts'
import { advanceClaim } from './advance-claim.ts'
import { claimEventOf } from './claim-event.ts'
import { mailArrival } from './claim-mails.ts'
import { lockInFull } from './read-claim.ts'

/**
 * The token is on the chain. `toAddress` where a voucher said so; our own mints know it already. Told once: a reorg that
 * undoes the mint and a second arrival write no second mail and no second event.
 */
export async function claimDelivered(ctx: Context, claimId: string, { txHash, toAddress }: { txHash: string; toAddress?: string }): Promise<void> {
  const claim = await lockInFull(ctx, claimId)
  const tx = { ...ctx, organizationId: claim.organizationId }
  const address = toAddress ?? claim.toAddress
  if (claim.state !== 'CLAIMED')
    await advanceClaim(tx, claim, 'CLAIMED', { claimedAt: tx.now(), toAddress: address, redeemedAt: claim.redeemedAt ?? tx.now() })
  if (claim.purchaseIntentId) await purchaseDelivered(tx, claim.purchaseIntentId)
  const first = await recordEvent(tx, 'claim.delivered', claimId, claimEventOf(claim, { to_address: address, tx_hash: txHash }))
  if (!first || !address) return
  const { networkId } = claim.item.collection
  const explorer = networkId === null ? null : tx.ports.chains.get(networkId)?.network.explorerUrl
  await mailArrival(tx, claim, { address, explorerUrl: explorer ? `${explorer}/tx/${txHash}` : null })
}
