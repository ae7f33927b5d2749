import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import { buyerContext } from '../../platform/auth/authenticate.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { suspendedError } from '../../platform/auth/suspended.ts'
import { localeGiven } from '../../core/locale-given.ts'
import { crashPoint } from '../../core/crash.ts'
import { emailHintOf } from '../../giving/claim-state.ts'
import { type FoundOffer, findOffer } from '../../offers/listings/offer.ts'
import { assertBuyerReceives } from '../../onchain/mints/assert-receives.ts'
import { createAtProvider } from '../payments/create-at-provider.ts'
import type { PurchaseRequest } from './batches/purchase-request.ts'
import { type Outcome, reserveTogether } from './batches/reserve-together.ts'
import { findEarlier, type Reserved } from './find-earlier.ts'
import { issuePurchaseVoucher } from './issue-purchase-voucher.ts'
import { assertOffered, purchaseTermsOf, type PurchaseTerms } from './purchase-terms.ts'
import { purchaseSecretOf } from './purchase-secret.ts'
import { readPurchase } from './read-purchase.ts'
import { reserveAlone } from './reserve-alone.ts'
import { purchaseViewOf, voucherDataOf } from './show-purchase.ts'

type Created = Output<typeof endpoint>

/**
 * Reserves units of a listing for a buyer, and prepares the payment. What is free or paid with a voucher is reserved
 * together with the orders of others, and is complete with that transaction. Else the reservation is one transaction,
 * and the provider is called after it: a repeat of a request that died in between finds its reservation and continues.
 * An open voucher purchase of the same address is found instead of a second one. Whoever merely names its address gets
 * neither its secret nor its mail hint.
 * @param found the listing, where it was just read (`whereNotSold`)
 */
export async function createPurchase(
  anyone: Context,
  { body, query: { secret } }: Pick<Input<typeof endpoint>, 'body' | 'query'>,
  found?: FoundOffer,
): Promise<Created> {
  const locale = localeGiven(body.locale)
  const offer = found ?? (await findOffer(anyone, body.listing_id))
  if (offer.suspended) throw suspendedError()
  const terms = purchaseTermsOf(offer, body)
  // Nothing of this request can be there: what isn't sold is refused by that one read.
  if (!anyone.requestKey && terms.provider !== 'MINT_VOUCHER') assertOffered(anyone, offer, terms)
  const ctx = buyerContext(anyone, offer.organizationId)
  const order = { ctx, terms, origin: body.origin ?? null, locale, proof: body.proof ?? null, secret: secret ?? null }
  const outcome = await reserve(anyone, offer, order)
  crashPoint('units_held')
  return outcome.is === 'sold' ? outcome.answer : showReserved(ctx, outcome)
}

/**
 * Refuses without a lock what isn't sold now, so that a flood is answered fast, and asks the network before any
 * transaction.
 */
async function reserve(
  anyone: Context,
  offer: FoundOffer,
  order: PurchaseRequest,
): Promise<Exclude<Outcome, { is: 'alone' }>> {
  const { ctx, terms } = order
  const found = (reserved: Reserved) => ({ is: 'found' as const, ...reserved })
  const together = goesTogether(offer, terms)
  if (!together || !isSold(offer, terms, ctx)) {
    const earlier = await findEarlier(ctx, offer.id, terms, order.secret)
    if (earlier) return found(earlier)
    assertOffered(ctx, offer, terms)
  }
  const { tokenId, networkId, contractAddress, tokenType } = offer
  const { buyer, quantity } = terms
  if (buyer.address && tokenId !== null)
    await assertBuyerReceives(
      ctx,
      { tokenId, collection: { networkId, contractAddress, tokenType } },
      { address: buyer.address, quantity, field: 'buyer.eth_address' },
    )
  const outcome = together ? await reserveTogether(offer, order) : ({ is: 'alone' } as const)
  return outcome.is === 'alone' ? found(await reserveAlone(anyone, offer, order)) : outcome
}

/**
 * Whether an order is reserved together with others. One whose items are drawn at random, that is paid by card or that
 * is sent by mail is reserved in a transaction of its own.
 */
const goesTogether = ({ price, assignment, itemId }: FoundOffer, { provider, method }: PurchaseTerms): boolean =>
  (itemId !== null || assignment === 'AUTOMATIC') &&
  (provider === 'MINT_VOUCHER' || (method === 'TRANSFER' && provider !== 'CARD_PROVIDER' && price === 0n))

function isSold(offer: FoundOffer, terms: PurchaseTerms, ctx: Context): boolean {
  try {
    assertOffered(ctx, offer, terms)
    return true
  } catch {
    return false
  }
}

/** The answer for a purchase that is in the books, once its payment or its voucher is prepared. */
async function showReserved(ctx: Context, { id, isOwn }: Reserved): Promise<Created> {
  const data = await prepare(ctx, id)
  return inTransaction(ctx, async (tx) => {
    const row = await readPurchase(tx, id)
    const view = await purchaseViewOf(tx, row, data ?? voucherDataOf(row, tx.now()))
    return isOwn ? { ...view, secret: purchaseSecretOf(row) } : { ...view, email_hint: null, secret: null }
  })
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
