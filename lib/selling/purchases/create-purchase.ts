import type { Listing, PaymentProvider, PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { asDeployed, buyerContext } from '../../platform/auth/authenticate.ts'
import { assertNotSuspended } from '../../platform/auth/suspended.ts'
import { withoutIdempotentResult, type Context, inTransaction } from '../../platform/auth/context.ts'
import { clientNetwork } from '../../core/ip-address.ts'
import { crashPoint } from '../../core/crash.ts'
import { secondsFrom } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { serializeByKey } from '../../core/serialize-by-key.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { emailHintOf } from '../../giving/claim-state.ts'
import { mailboxOf } from '../../core/mailbox.ts'
import { assertSelling, limitReached, takeUnits } from '../../offers/listings/units.ts'
import { assertReceives } from '../../onchain/mints/assert-receives.ts'
import { createAtProvider } from '../payments/create-at-provider.ts'
import { openPayment } from '../payments/open-payment.ts'
import { getCustody, assertVoucherPossible, assertDeliverableNow } from '../../stock/custody.ts'
import { confirmPurchase } from './confirm-purchase.ts'
import { findOpenVoucher } from './find-open-voucher.ts'
import { fulfilPurchase } from './fulfil-purchase.ts'
import { holdForPurchase } from './hold-for-purchase.ts'
import { issuePurchaseVoucher, assertPayoutAddress } from './issue-purchase-voucher.ts'
import { assertFewOpen, lockBuyer } from './open-purchase-limits.ts'
import { assertProved, proofRequired } from './proof.ts'
import { purchaseEventOf } from './purchase-event.ts'
import { purchaseTermsOf, type PurchaseTerms, sessionSecondsOf } from './purchase-terms.ts'
import { isSecretOf, purchaseSecretOf, secretColumnsOf } from './purchase-secret.ts'
import { readPurchase } from './read-purchase.ts'
import { purchaseViewOf, voucherDataOf } from './show-purchase.ts'

type Body = Input<typeof endpoint>['body']
type Created = Output<typeof endpoint>
/** A purchase, and whether it is the caller's: made by this request, or its secret was shown. */
type Reserved = { id: string; isOwn: boolean }

/**
 * Reserves units of a listing for a buyer, and prepares the payment. The reservation is one transaction; the provider
 * call or the signing of the voucher comes after it: a repeat of a request that died in between finds its reservation
 * and continues. An open voucher purchase of the same address is found instead of a second one. Whoever merely names its address gets
 * neither its secret nor its mail hint.
 */
export async function createPurchase(
  anyone: Context,
  { body, query: { secret } }: Pick<Input<typeof endpoint>, 'body' | 'query'>,
): Promise<Created> {
  const listing = await findListing(anyone, body.listing_id)
  const ctx = buyerContext(anyone, listing.organizationId)
  await assertNotSuspended(ctx, listing)
  const order = purchaseTermsOf(listing, body)
  const shown = secret ?? null
  const { id, isOwn } =
    (await findEarlier(ctx, listing, order, shown)) ?? (await reserveSerially(anyone, ctx, listing, order, body, shown))
  crashPoint('units_held')
  const data = await prepare(ctx, id)
  return inTransaction(ctx, async (tx) => {
    const row = await readPurchase(tx, id)
    const view = await purchaseViewOf(tx, row, data ?? voucherDataOf(row, tx.now()))
    return isOwn ? { ...view, secret: purchaseSecretOf(row) } : { ...view, email_hint: null, secret: null }
  })
}

/** A private collection's listing can be bought by whoever has its link. */
async function findListing(anyone: Context, id: string): Promise<Listing> {
  const listing = await asDeployed(anyone).db.listing.findFirst({ where: { id } })
  if (!listing) throw notFound()
  return listing
}

/** The reservation that this very request made before it died; or the open voucher purchase of the buyer's address. */
async function findEarlier(
  ctx: Context,
  listing: Listing,
  order: PurchaseTerms,
  secret: string | null,
): Promise<Reserved | null> {
  if (ctx.requestKey) {
    const left = await ctx.db.purchaseIntent.findFirst({ where: { requestKey: ctx.requestKey }, select: { id: true } })
    if (left) return { id: left.id, isOwn: true }
  }
  return findByAddress(ctx, listing, order, secret)
}

async function findByAddress(
  ctx: Context,
  { id: listingId }: Listing,
  { provider, quantity, buyer }: PurchaseTerms,
  secret: string | null,
): Promise<Reserved | null> {
  if (provider !== 'MINT_VOUCHER' || !buyer.address) return null
  const open = await findOpenVoucher(ctx, listingId, buyer.address)
  if (!open) return null
  if (open.quantity !== quantity)
    throw new AppError(
      'purchase_open',
      'A purchase of another quantity is open for this address. Pay it, let it expire, or close it with a signature of the address.',
      { extra: { purchase_intent_id: open.id } },
    )
  return { id: open.id, isOwn: secret !== null && isSecretOf(open.secretHash, secret) }
}

/** How many of a listing's buyers this process serves at once; the others wait in memory, not for a database lock. */
const CONCURRENT_BUYERS = 4
let nextQueue = 0

/**
 * Refuses what it can without a lock, so that a flood is answered fast. The rest is served one after another; once
 * nothing is left, a turn costs one read.
 */
async function reserveSerially(
  anyone: Context,
  ctx: Context,
  listing: Listing,
  order: PurchaseTerms,
  body: Body,
  secret: string | null,
): Promise<Reserved> {
  assertSelling(listing, order.quantity, ctx.now())
  const proof = body.proof ?? null
  await assertProved(ctx, listing, proof)
  return serializeByKey(`${listing.id} ${nextQueue++ % CONCURRENT_BUYERS}`, async () => {
    const fresh = await findListing(anyone, listing.id)
    assertSelling(fresh, order.quantity, ctx.now())
    if (order.provider === 'MINT_VOUCHER') await assertPayoutAddress(ctx, listing)
    if (order.buyer.address)
      await assertReceivesAny(ctx, listing, { address: order.buyer.address, quantity: order.quantity })
    try {
      return await inTransaction(withoutIdempotentResult(ctx), (tx) =>
        reserve(tx, fresh, order, { origin: body.origin ?? null, proof, secret }),
      )
    } catch (error) {
      if (isUniqueViolation(error, 'proof_hash'))
        throw await proofRequired(ctx, listing.id, 'This challenge was used before: each is good for one purchase.')
      throw error
    }
  })
}

/** For a collection, any of its items stands for the one to come: a contract is asked whether it takes such tokens. */
async function assertReceivesAny(
  ctx: Context,
  { itemId, collectionId }: Listing,
  to: { address: string; quantity: bigint },
): Promise<void> {
  const item = await ctx.db.item.findFirst({
    where: itemId ? { id: itemId } : { collectionId, lockedAt: { not: null } },
    select: { tokenId: true, collection: { select: { networkId: true, contractAddress: true, tokenType: true } } },
  })
  if (item) await assertReceives(ctx, item, { ...to, field: 'buyer.eth_address' })
}

async function reserve(
  tx: Context,
  listing: Listing,
  order: PurchaseTerms,
  { origin, proof, secret }: { origin: string | null; proof: string | null; secret: string | null },
): Promise<Reserved> {
  const { provider, method, quantity, buyer } = order
  await lockBuyer(tx, order)
  // Two requests of the same buyer may have come at once.
  const open = await findByAddress(tx, listing, order, secret)
  if (open) return open
  await assertFewOpen(tx, listing.id, order)
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

/** Makes the payment or the voucher, once the reservation is committed. Safe to repeat. */
async function prepare(ctx: Context, id: string): Promise<Created['data']> {
  const intent = await ctx.db.purchaseIntent.findFirstOrThrow({
    where: { id },
    include: { payments: { where: { state: { not: 'CANCELLED' } } } },
  })
  if (intent.provider === 'EMAIL_CLAIM') return { email_hint: emailHintOf(intent.buyerEmail!) }
  if (intent.status !== 'PENDING') return null
  if (intent.provider === 'MINT_VOUCHER') await issuePurchaseVoucher(ctx, id)
  const [payment] = intent.payments
  return payment ? prepareCard(ctx, id, payment.id) : null
}

async function prepareCard(ctx: Context, id: string, paymentId: string): Promise<Created['data']> {
  try {
    return await createAtProvider(ctx, paymentId)
  } catch (error) {
    // Without an idempotency key nobody can continue it: it ends when its time does.
    if (!ctx.requestKey)
      await ctx.db.purchaseIntent.updateMany({ where: { id, status: 'PENDING' }, data: { expiresAt: ctx.now() } })
    throw error
  }
}
