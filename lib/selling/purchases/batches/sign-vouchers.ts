import { setImmediate as breathe } from 'node:timers/promises'
import { secondsFrom } from '../../../core/clock.ts'
import { columns, type RowOf } from '../../../db/columns.ts'
import { organizationTransaction } from '../../../db/organization-transaction.ts'
import { call, type Statement } from '../../../db/statements.ts'
import { remainingOf } from '../../../offers/listings/listing-state.ts'
import type { Offer } from '../../../offers/listings/offer.ts'
import { TAKE_REQUEST_NUMBERS } from '../../../orders/next-request-number.ts'
import { signWithNonce } from '../../../onchain/vouchers/sign-voucher.ts'
import { moneyOf } from '../issue-purchase-voucher.ts'
import { sessionSecondsOf } from '../purchase-terms.ts'
import { basisOf } from './basis.ts'
import type { PurchaseRequest, Prepared } from './purchase-request.ts'

const OFFERED = columns('l', 'Listing', ['currencyAddress', 'sessionSeconds', 'sessionOverride'])
const PLACE = columns('c', 'Collection', ['tokenType', 'networkId', 'contractAddress', 'signer', 'promisesFrom'])
const PAYOUT = columns('o', 'Organization', ['payoutAddress'])
const ITEM = columns('i', 'Item', ['id', 'tokenId', 'minted'])
type Terms = RowOf<typeof OFFERED> & RowOf<typeof PLACE> & RowOf<typeof PAYOUT> & RowOf<typeof ITEM> & { price: string }

const READ_TERMS: Statement = {
  name: 'read_voucher_terms',
  text: `SELECT l.price::text AS price, ${OFFERED}, ${PLACE}, ${PAYOUT}, ${ITEM}
    FROM listings l JOIN collections c ON c.id = l.collection_id
      JOIN organizations o ON o.id = l.organization_id JOIN items i ON i.id = l.item_id
    WHERE l.id = $1::uuid`,
}

/**
 * Signs the vouchers that orders of one listing are paid with, before anything is reserved and outside of any
 * transaction. Their nonces are taken in one of their own: a voucher that isn't issued leaves a gap, which is harmless.
 * Not more are signed than there are units left. Of a collection's listing none is, since the item isn't known yet. A
 * signature is plain computing: between two of them other requests go on.
 */
export async function signVouchers(offer: Offer, orders: readonly PurchaseRequest[], now: Date): Promise<Prepared[]> {
  const wanted = Math.min(orders.length, Number(remainingOf(offer)))
  if (offer.itemId === null || wanted <= 0) return orders.map(() => null)
  const { terms, first } = await organizationTransaction(offer.organizationId, {}, async (_, last) => {
    const [found, [taken]] = (await last(
      call(READ_TERMS, offer.id),
      call(TAKE_REQUEST_NUMBERS, offer.collectionId, wanted),
    )) as unknown as [Terms[], { first: bigint }[]]
    return { terms: found[0], first: taken!.first }
  })
  if (!terms) return orders.map(() => null)
  const prepared: Prepared[] = []
  for (const [at, order] of orders.entries()) {
    // Who waits for no answer any more gets none.
    const isWanted = at < wanted && !order.ctx.signal?.aborted
    prepared.push(isWanted ? await signFor(offer, terms, order, first + BigInt(at), now) : null)
    await breathe()
  }
  return prepared
}

async function signFor(
  offer: Offer,
  terms: Terms,
  order: PurchaseRequest,
  nonce: bigint,
  now: Date,
): Promise<Prepared> {
  try {
    const { quantity, buyer, provider } = order.terms
    const price = BigInt(terms.price)
    const { id, tokenId, minted } = terms
    const item = { id, tokenId, minted, collection: { ...terms, id: offer.collectionId } }
    const expiresAt = secondsFrom(now, sessionSecondsOf(terms, provider))
    const money = moneyOf({ ...terms, price }, quantity, terms.payoutAddress)
    const signed = await signWithNonce(order.ctx, { item, quantity, expiresAt, money }, buyer.address!, nonce)
    return { signed, basis: basisOf({ ...terms, price }, terms, item), expiresAt }
  } catch (error) {
    return { error }
  }
}
