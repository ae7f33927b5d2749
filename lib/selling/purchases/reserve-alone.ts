import type { Listing, PaymentProvider, PurchaseIntent } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import { withoutIdempotentResult, type Context, inTransaction } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { secondsFrom } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { serializeByKey } from '../../core/serialize-by-key.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { mailboxOf } from '../../core/mailbox.ts'
import { assertSelling, limitReached, takeUnits } from '../../offers/listings/units.ts'
import { openPayment } from '../payments/open-payment.ts'
import { getCustody, assertVoucherPossible, assertDeliverableNow } from '../../stock/custody.ts'
import type { Order } from './batches/order.ts'
import { confirmPurchase } from './confirm-purchase.ts'
import { findEarlier, type Reserved } from './find-earlier.ts'
import { fulfilPurchase } from './fulfil-purchase.ts'
import { holdForPurchase } from './hold-for-purchase.ts'
import { assertPayoutAddress } from './issue-purchase-voucher.ts'
import { assertFewOpen, lockBuyer } from './open-purchase-limits.ts'
import { assertProved, proofRequired } from './proof.ts'
import { purchaseEventOf } from './purchase-event.ts'
import { sessionSecondsOf } from './purchase-terms.ts'
import { secretColumnsOf } from './purchase-secret.ts'

/** How many of a listing's buyers this process serves at once; the others wait in memory, not for a database lock. */
const CONCURRENT_BUYERS = 4
let nextQueue = 0

/**
 * Reserves units of a listing in a transaction of its own. Refuses what it can without a lock, so that a flood is answered fast. The rest is
 * served one after another; once nothing is left, a turn costs one read.
 */
export async function reserveAlone(anyone: Context, listingId: string, order: Order): Promise<Reserved> {
  const { ctx, terms, proof } = order
  const listing = await findListing(anyone, listingId)
  await assertProved(ctx, listing, proof)
  return serializeByKey(`${listing.id} ${nextQueue++ % CONCURRENT_BUYERS}`, async () => {
    const fresh = await findListing(anyone, listing.id)
    assertSelling(fresh, terms.quantity, ctx.now())
    if (terms.provider === 'MINT_VOUCHER') await assertPayoutAddress(ctx, listing)
    try {
      return await inTransaction(withoutIdempotentResult(ctx), (tx) => reserve(tx, fresh, order))
    } catch (error) {
      if (isUniqueViolation(error, 'proof_hash'))
        throw await proofRequired(ctx, listing.id, 'This challenge was used before: each is good for one purchase.')
      throw error
    }
  })
}

/** A private collection's listing can be bought by whoever has its link. */
async function findListing(anyone: Context, id: string): Promise<Listing> {
  const listing = await asDeployed(anyone).db.listing.findFirst({ where: { id } })
  if (!listing) throw notFound()
  return listing
}

async function reserve(
  tx: Context,
  listing: Listing,
  { terms, origin, locale, proof, secret }: Order,
): Promise<Reserved> {
  const { provider, method, quantity, buyer } = terms
  await lockBuyer(tx, terms)
  // Two requests of the same buyer may have come at once.
  const open = await findEarlier(tx, listing.id, terms, secret)
  if (open) return open
  await assertFewOpen(tx, listing.id, terms)
  const proofHash = await assertProved(tx, listing, proof)
  const units = await takeUnits(tx, listing, { quantity, buyer })
  const id = newId()
  const intent = await tx.db.purchaseIntent.create({
    data: {
      id,
      organizationId: tx.organizationId,
      listingId: listing.id,
      mode: listing.mode,
      provider,
      fulfillmentMethod: method,
      quantity,
      total: listing.price.mul(quantity.toString()).toFixed(),
      currency: listing.currency,
      buyerEmail: buyer.email,
      buyerMailbox: buyer.email && mailboxOf(buyer.email),
      buyerAddress: buyer.address,
      ...secretColumnsOf({ id, secretGeneration: 0 }),
      origin,
      locale,
      clientAddress: tx.clientAddress || null,
      clientNetwork: clientNetwork(tx.clientAddress) || null,
      requestKey: tx.requestKey ?? null,
      proofHash,
      expiresAt: secondsFrom(tx.now(), sessionSecondsOf(listing, provider)),
      createdAt: tx.now(),
    },
  })
  await holdForPurchase(tx, id, listing.id, units)
  for (const { itemId } of units) await assertDeliverable(tx, itemId, provider)
  const created = purchaseEventOf(intent, { status: intent.status, fulfillment_status: intent.fulfillmentStatus })
  await recordAudit(tx, { action: 'purchase_intent.created', subject: { type: 'purchase_intent', id }, after: created })
  if (provider === 'CARD_PROVIDER') await openPayment(tx, intent, listing)
  else if (provider !== 'MINT_VOUCHER') await grant(tx, listing, intent)
  return { id, isOwn: true }
}

/** A free purchase is confirmed and delivered at once. */
async function grant(tx: Context, listing: Listing, intent: PurchaseIntent): Promise<void> {
  const confirmed = await confirmPurchase(tx, intent)
  if (!confirmed) throw limitReached(listing)
  await fulfilPurchase(tx, confirmed)
}

/** Checked after the hold, so that the item can't change meanwhile. */
async function assertDeliverable(tx: Context, itemId: string, provider: PaymentProvider): Promise<void> {
  const item = await getCustody(tx, itemId)
  assertDeliverableNow(tx, item)
  if (provider === 'MINT_VOUCHER') assertVoucherPossible(item, 'provider')
}
