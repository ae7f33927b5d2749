import { clientNetwork } from '../../../core/ip-address.ts'
import { mailboxOf } from '../../../core/mailbox.ts'
import { env } from '../../../core/env.ts'
import { columns, type RowOf } from '../../../db/columns.ts'
import type { Run } from '../../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../../db/statements.ts'
import { type Gas, gasCall, gasOf, type GasRow } from '../../../orders/gas-budget.ts'
import { RECOVERING } from '../../../orders/recovering.ts'
import { LOCK_HOLD, type LockedHold } from '../../../stock/hold-many.ts'
import { countsFor } from '../../../offers/listings/buyer-units.ts'
import { type ChosenItem, lockItems, lockItemsCall } from '../../../offers/listings/choose-items.ts'
import { remainingOf } from '../../../offers/listings/listing-state.ts'
import { LOCK_OFFER, type Offer, offerOf, type OfferRow } from '../../../offers/listings/offer.ts'
import { LOCK_WAITING, type WaitingTransaction } from '../../../onchain/mints/request-together.ts'
import { isOpenVoucherPurchase } from '../find-earlier.ts'
import { buyerLocksOf, isUnpaid } from '../open-purchase-limits.ts'
import { type ClientFacts, clientsCall } from '../read-clients.ts'
import { isByVoucher, type PurchaseRequest } from './purchase-request.ts'

const COLLECTION_COLUMNS = columns('c', 'Collection', [
  'id',
  'organizationId',
  'name',
  'networkId',
  'tokenType',
  'contractAddress',
  'signer',
  'deploymentStatus',
  'revealStrategy',
  'revealedAt',
  'previewMetadata',
  'promisesFrom',
  'nextRequestId',
])
const PAYOUT = columns('o', 'Organization', ['payoutAddress'])
/** `waits`: nothing of it is delivered now (see `waitsForRecovery`). */
type CollectionFacts = RowOf<typeof COLLECTION_COLUMNS> & RowOf<typeof PAYOUT> & { waits: boolean }
type BuyerFacts = {
  /** The purchase that the same request made before it died. */
  earlier: string | null
  openId: string | null
  openQuantity: bigint | null
  openSecretHash: Buffer | null
  /** When the open unpaid purchases that count for the buyer end. */
  unpaid: Date[]
  listed: boolean
  /** Units that count for the buyer's address and mailbox. */
  ofAddress: bigint
  ofMailbox: bigint
}
export type Facts = {
  /** The listing's terms by which the buyers' facts were read. */
  readBy: Offer
  offer: Offer
  hold: LockedHold | null
  /** The listing's item; or free items of its collection, as many as the orders want where there are so many. */
  items: readonly ChosenItem[]
  collection: CollectionFacts
  /**
   * The facts by which the mints of free orders are requested. null: the order's own transaction goes on with its
   * delivery or payment.
   */
  minting: { gas: Gas; waiting: WaitingTransaction | null } | null
  buyers: readonly BuyerFacts[]
  clients: ReadonlyMap<string, ClientFacts>
}
export type FactsOfOne = Facts & { minting: null }

const LOCK_BUYERS: Statement = {
  name: 'lock_buyers',
  text: 'SELECT pg_advisory_xact_lock(key)::text FROM unnest($1::bigint[]) AS key',
}

const collectionOf = (name: string, locked: string): Statement => ({
  name,
  text: `SELECT ${COLLECTION_COLUMNS}, ${PAYOUT}, ${RECOVERING}
        OR EXISTS (SELECT 1 FROM unmatched_mints u WHERE u.collection_id = c.id AND u.state = 'UNCHECKED') AS waits
    FROM collections c JOIN organizations o ON o.id = c.organization_id WHERE c.id = $1::uuid ${locked}`,
})
/** Where mints of it are requested in the same batch. */
const LOCK_COLLECTION = collectionOf('lock_collection_of_offer', 'FOR NO KEY UPDATE OF c')
const READ_COLLECTION = collectionOf('read_collection_of_offer', '')

/**
 * A buyer's purchases, looked up by the buyer. OFFSET 0 keeps other conditions out: by these the planner would read all
 * that are open.
 */
const ofBuyer = (column: 'buyer_address' | 'buyer_mailbox', value: string): string =>
  `(SELECT i.* FROM purchase_intents i WHERE i.organization_id = $2::uuid AND i.${column} = ${value} OFFSET 0) i`
const UNPAID = `WHERE i.status = 'PENDING' AND (i.client_network = b.client OR i.buyer_proved)`

/**
 * $1 listing, $2 organization, $3 now, $4 whether a list admits, $5 its snapshot, $6 whether units of a buyer are
 * limited.
 */
const READ_BUYERS: Statement = {
  name: 'read_buyers',
  text: `SELECT earlier.id AS earlier, ${columns('open', 'PurchaseIntent', ['id', 'quantity', 'secretHash'], 'open')},
      CASE WHEN b.is_limited THEN ARRAY(SELECT expires_at FROM (
        SELECT i.id, i.expires_at FROM ${ofBuyer('buyer_address', 'b.address')} ${UNPAID}
        UNION SELECT i.id, i.expires_at
        FROM ${ofBuyer('buyer_mailbox', 'b.mailbox')} ${UNPAID}) unpaid) ELSE '{}' END AS unpaid,
      CASE WHEN $4::text = 'ALLOW_LIST' THEN EXISTS (SELECT 1 FROM listing_allowances a
          WHERE a.listing_id = $1::uuid
            AND (a.kind = 'ADDRESS' AND a.identity = b.address OR a.kind = 'EMAIL' AND a.identity = b.email))
        WHEN $4::text = 'SNAPSHOT'
          THEN EXISTS (SELECT 1 FROM snapshot_holders s WHERE s.snapshot_id = $5::uuid AND s.address = b.address)
        ELSE true END AS listed,
      CASE WHEN $6::boolean AND b.address IS NOT NULL THEN
        coalesce((SELECT quantity FROM listing_buyers
            WHERE listing_id = $1::uuid AND kind = 'ADDRESS' AND identity = b.address), 0)
        + coalesce((SELECT sum(i.quantity) FROM ${ofBuyer('buyer_address', 'b.address')}
            WHERE i.listing_id = $1::uuid AND i.units_state = 'OPEN'
              AND ${countsFor.ADDRESS('b.client')}), 0)::bigint
        ELSE 0 END AS "ofAddress",
      CASE WHEN $6::boolean AND b.mailbox IS NOT NULL THEN
        coalesce((SELECT quantity FROM listing_buyers
            WHERE listing_id = $1::uuid AND kind = 'EMAIL' AND identity = b.mailbox), 0)
        + coalesce((SELECT sum(i.quantity) FROM ${ofBuyer('buyer_mailbox', 'b.mailbox')}
            WHERE i.listing_id = $1::uuid AND i.units_state = 'OPEN'
              AND ${countsFor.EMAIL('b.client')}), 0)::bigint
        ELSE 0 END AS "ofMailbox"
    FROM unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::boolean[], $13::boolean[])
      WITH ORDINALITY AS b(request_key, address, email, mailbox, client, by_voucher, is_limited, at)
    LEFT JOIN LATERAL (SELECT i.id FROM purchase_intents i WHERE i.request_key = b.request_key LIMIT 1) earlier ON true
    LEFT JOIN LATERAL (SELECT i.id, i.quantity, i.secret_hash FROM ${ofBuyer('buyer_address', 'b.address')}
        WHERE i.listing_id = $1::uuid AND ${isOpenVoucherPurchase('$3::timestamptz')}
        ORDER BY i.id DESC LIMIT 1) open ON b.by_voucher
    ORDER BY b.at`,
}

/** The rows that are locked or read after the items. */
type Read = [hold: LockedHold[], collection: CollectionFacts[], buyers: BuyerFacts[], clients: ClientFacts[]]

/**
 * Locks what a batch of orders of one listing changes, in the order of locks, and reads what decides them: all in the
 * first round trip of their transaction. null where the listing is gone.
 */
export async function readFacts(
  run: Run,
  offer: Offer,
  orders: readonly PurchaseRequest[],
  now: Date,
): Promise<Facts | null> {
  const { id, collectionId, organizationId, networkId } = offer
  const units = orders.reduce((sum, { terms }) => sum + terms.quantity, 0n)
  const [, [row], items, hold, collection, buyers, clients, [waiting = null], [gas]] = (await run(
    ...lockCalls(id, orders),
    lockItemsCall(offer, units),
    ...readCalls(LOCK_COLLECTION, offer, orders, now),
    call(LOCK_WAITING, collectionId),
    gasCall(organizationId, networkId, now),
  )) as unknown as [unknown, OfferRow[], ChosenItem[], ...Read, WaitingTransaction[], GasRow[]]
  if (!row) return null
  const minting = { gas: gasOf(gas!), waiting }
  return { ...factsOf({ readBy: offer, offer: offerOf(row), items }, [hold, collection, buyers, clients]), minting }
}

/**
 * Locks and reads the facts of one order as `readFacts` does, in a transaction that goes on: its items may be drawn,
 * and are waited for where others have locked them. null where the listing is gone.
 */
export async function readFactsOfOne(
  run: Run,
  id: string,
  order: PurchaseRequest,
  now: Date,
): Promise<FactsOfOne | null> {
  const [, [row]] = (await run(...lockCalls(id, [order]))) as unknown as [unknown, OfferRow[]]
  if (!row) return null
  const offer = offerOf(row)
  const { quantity } = order.terms
  const items = remainingOf(offer) < quantity ? [] : await lockItems(run, offer, quantity)
  const read = (await run(...readCalls(READ_COLLECTION, offer, [order], now))) as unknown as Read
  return { ...factsOf({ readBy: offer, offer, items }, read), minting: null }
}

const lockCalls = (id: string, orders: readonly PurchaseRequest[]): [Call, Call] => [
  call(LOCK_BUYERS, buyerLocksOf(orders)),
  call(LOCK_OFFER, id),
]

const readCalls = (collection: Statement, offer: Offer, orders: readonly PurchaseRequest[], now: Date): Call[] => [
  call(LOCK_HOLD, 'LISTING', offer.id),
  call(collection, offer.collectionId),
  buyersCall(offer, orders, now),
  clientsCall(
    offer,
    orders.map(({ ctx }) => clientNetwork(ctx.clientAddress)),
    now,
    { unpaid: orders.some(isUnpaid) },
  ),
]

const factsOf = (
  known: Pick<Facts, 'readBy' | 'offer' | 'items'>,
  [[hold], [collection], buyers, clients]: Read,
): Omit<Facts, 'minting'> => ({
  ...known,
  hold: hold ?? null,
  collection: collection!,
  buyers,
  clients: new Map(clients.map((row) => [row.client, row])),
})

const buyersCall = (
  { id, organizationId, policyType, snapshotId, maxPerUser }: Offer,
  orders: readonly PurchaseRequest[],
  now: Date,
): Call =>
  call(
    READ_BUYERS,
    id,
    organizationId,
    now,
    policyType,
    snapshotId,
    maxPerUser !== null,
    orders.map(({ ctx }) => ctx.requestKey ?? null),
    orders.map(({ terms }) => terms.buyer.address),
    orders.map(({ terms }) => terms.buyer.email?.toLowerCase() ?? null),
    orders.map(({ terms }) => terms.buyer.email && mailboxOf(terms.buyer.email)),
    orders.map(({ ctx }) => clientNetwork(ctx.clientAddress)),
    orders.map(isByVoucher),
    orders.map((order) => isUnpaid(order) && env.OPEN_INTENTS_PER_BUYER > 0),
  )
