import type { PurchaseIntent, TxPayer } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { CLAIM_LIFE_SECONDS } from '../../giving/claim-state.ts'
import { issueClaim } from '../../giving/issue-claim.ts'
import { secondsFrom } from '../../core/clock.ts'
import { requestMint } from '../../onchain/mints/request-mint.ts'
import { getCustody } from '../../stock/custody.ts'
import { isSuspendedUntilCommit } from '../../platform/auth/suspended.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { advancePurchase } from './advance-purchase.ts'
import { purchaseFailed } from './purchase-failed.ts'
import { countMintedByUs, waitsForRecovery } from './waits-for-recovery.ts'

/**
 * Starts the deliveries of a confirmed purchase: an email gets a claim for each item, an address gets mints. A claim
 * that was paid for never expires. The units pass to them; where they were minted to another address meanwhile, the
 * purchase has failed. Where we minted them before a backup was put back, the deliveries find these mints. What is
 * suspended waits.
 */
export async function fulfilPurchase(tx: Context, intent: PurchaseIntent): Promise<PurchaseIntent> {
  const listing = await tx.db.listing.findFirstOrThrow({ where: { id: intent.listingId } })
  const units = await tx.db.purchaseUnit.findMany({ where: { intentId: intent.id }, orderBy: { itemId: 'asc' } })
  await lockItemRows(
    tx,
    units.map(({ itemId }) => itemId),
  )
  if (await waitsForRecovery(tx, intent)) return intent
  if (await isSuspendedUntilCommit(tx, listing)) return intent
  const held = await tx.db.hold.count({ where: { holderType: 'PURCHASE', holderId: intent.id, state: 'HELD' } })
  const sent = held < units.length ? await countMintedByUs(tx, intent) : 0
  if (held + sent < units.length) return purchaseFailed(tx, intent, 'Somebody else got it on the chain.')
  const { collectionId, campaignId, txPayer } = listing
  const hold = { from: { type: 'PURCHASE' as const, id: intent.id }, orMinted: sent > 0 }
  const life = intent.total.isZero() ? (listing.claimSeconds ?? CLAIM_LIFE_SECONDS) : null
  const createdAt = tx.now()
  for (const { itemId, quantity } of units) {
    const order = { collectionId, itemId, quantity, purchaseIntentId: intent.id, hold }
    if (intent.fulfillmentMethod === 'TRANSFER') await requestMint(tx, { ...order, toAddress: intent.buyerAddress! })
    else
      await issueClaim(tx, {
        ...order,
        campaignId,
        txPayer: await payerOf(tx, itemId, txPayer),
        email: intent.buyerEmail!,
        locale: intent.locale,
        createdAt,
        expiresAt: life === null ? null : secondsFrom(createdAt, life),
      })
  }
  return advancePurchase(tx, intent, { fulfillmentStatus: 'ASSIGNED' })
}

/** An item that is in custody by now can only be handed over, and we pay for that. */
const payerOf = async (tx: Context, itemId: string, agreed: TxPayer): Promise<TxPayer> =>
  (await getCustody(tx, itemId)).custodian === null ? agreed : 'SELLER'
