import type { Collection, Item } from '../../../../generated/prisma/client.ts'
import { secondsFrom } from '../../../core/clock.ts'
import { clientNetwork } from '../../../core/ip-address.ts'
import { mailboxOf } from '../../../core/mailbox.ts'
import { env } from '../../../core/env.ts'
import type { Run } from '../../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../../db/statements.ts'
import { type Gas, gasCall, gasOf, type GasRow } from '../../../orders/gas-budget.ts'
import { RECOVERING } from '../../../orders/recovering.ts'
import { LOCK_HOLD, type LockedHold } from '../../../stock/hold-many.ts'
import { LOCK_OFFER, type Offer, offerOf, type OfferRow } from '../../../offers/listings/offer.ts'
import { LOCK_WAITING, type WaitingTransaction } from '../../../onchain/mints/request-together.ts'
import { buyerLocksOf } from '../open-purchase-limits.ts'
import { asksUnderPressure, EARLIER_SECONDS, USUAL_SECONDS } from '../proof.ts'
import { isByVoucher, type Order } from './order.ts'

/** What a sold item is shown and delivered by. */
export type ItemFacts = Pick<
  Item,
  'id' | 'tokenId' | 'attributes' | 'imageSource' | 'imageCid' | 'imageFile' | 'custodian' | 'lockedAt'
>
type CollectionFacts = Pick<
  Collection,
  | 'id'
  | 'organizationId'
  | 'name'
  | 'networkId'
  | 'tokenType'
  | 'contractAddress'
  | 'signer'
  | 'deploymentStatus'
  | 'revealStrategy'
  | 'revealedAt'
  | 'previewMetadata'
  | 'promisesFrom'
  | 'nextRequestId'
> & {
  /** Nothing of it is delivered now: see `waitsForRecovery`. */
  waits: boolean
  payoutAddress: string | null
}
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
type ClientFacts = { client: string; purchases: bigint; proofs: bigint; unpaid: Date[] }
export type Facts = {
  offer: Offer
  hold: LockedHold | null
  /** The listing's item; or free items of its collection, as many as the orders want where there are so many. */
  items: readonly ItemFacts[]
  collection: CollectionFacts
  gas: Gas
  waiting: WaitingTransaction | null
  buyers: readonly BuyerFacts[]
  clients: ReadonlyMap<string, ClientFacts>
}

const LOCK_BUYERS: Statement = {
  name: 'lock_buyers',
  text: 'SELECT pg_advisory_xact_lock(key)::text FROM unnest($1::bigint[]) AS key',
}

const ITEM = `id, token_id AS "tokenId", attributes, image_source AS "imageSource", image_cid AS "imageCid", image_file AS "imageFile",
  kept_by AS custodian, locked_at AS "lockedAt"`

const LOCK_ITEM: Statement = {
  name: 'lock_item',
  text: `SELECT ${ITEM} FROM items WHERE id = $1::uuid FOR NO KEY UPDATE`,
}

/** Items that others have locked are skipped: who needs one of these waits for it alone. There is an index for this condition and order. */
const LOCK_FREE_ITEMS: Statement = {
  name: 'lock_free_items',
  text: `SELECT ${ITEM} FROM items
    WHERE collection_id = $1::uuid AND is_free
    ORDER BY length(token_id), token_id
    LIMIT (SELECT least($3::bigint, quantity_listed - quantity_open - quantity_confirmed) FROM listings WHERE id = $2::uuid)
    FOR UPDATE SKIP LOCKED`,
}

const LOCK_COLLECTION: Statement = {
  name: 'lock_collection_of_offer',
  text: `SELECT c.id, c.organization_id AS "organizationId", c.name, c.network_id AS "networkId", c.token_type::text AS "tokenType",
      c.contract_address AS "contractAddress", c.signer, c.deployment_status::text AS "deploymentStatus",
      c.reveal_strategy::text AS "revealStrategy", c.revealed_at AS "revealedAt", c.preview_metadata AS "previewMetadata",
      c.promises_from AS "promisesFrom", c.next_request_id AS "nextRequestId", o.payout_address AS "payoutAddress",
      ${RECOVERING}
        OR EXISTS (SELECT 1 FROM unmatched_mints u WHERE u.collection_id = c.id AND u.state = 'UNCHECKED') AS waits
    FROM collections c JOIN organizations o ON o.id = c.organization_id WHERE c.id = $1::uuid FOR NO KEY UPDATE OF c`,
}

/**
 * A buyer's purchases, looked up by the buyer. OFFSET 0 keeps other conditions out: by these the planner would read all that are open.
 */
const ofBuyer = (column: 'buyer_address' | 'buyer_mailbox', value: string): string =>
  `(SELECT i.* FROM purchase_intents i WHERE i.organization_id = $2::uuid AND i.${column} = ${value} OFFSET 0) i`
const UNPAID = `WHERE i.status = 'PENDING' AND (i.client_network = b.client OR i.buyer_proved)`

/** $1 listing, $2 organization, $3 now, $4 whether a list admits, $5 its snapshot, $6 whether units of a buyer are limited. */
const READ_BUYERS: Statement = {
  name: 'read_buyers',
  text: `SELECT earlier.id AS earlier, open.id AS "openId", open.quantity AS "openQuantity", open.secret_hash AS "openSecretHash",
      CASE WHEN b.is_limited THEN ARRAY(SELECT expires_at FROM (
        SELECT i.id, i.expires_at FROM ${ofBuyer('buyer_address', 'b.address')} ${UNPAID}
        UNION SELECT i.id, i.expires_at FROM ${ofBuyer('buyer_mailbox', 'b.mailbox')} ${UNPAID}) unpaid) ELSE '{}' END AS unpaid,
      CASE WHEN $4::text = 'ALLOW_LIST' THEN EXISTS (SELECT 1 FROM listing_allowances a
          WHERE a.listing_id = $1::uuid AND (a.kind = 'ADDRESS' AND a.identity = b.address OR a.kind = 'EMAIL' AND a.identity = b.email))
        WHEN $4::text = 'SNAPSHOT' THEN EXISTS (SELECT 1 FROM snapshot_holders s WHERE s.snapshot_id = $5::uuid AND s.address = b.address)
        ELSE true END AS listed,
      CASE WHEN $6::boolean AND b.address IS NOT NULL THEN
        coalesce((SELECT quantity FROM listing_buyers WHERE listing_id = $1::uuid AND kind = 'ADDRESS' AND identity = b.address), 0)
        + coalesce((SELECT sum(i.quantity) FROM ${ofBuyer('buyer_address', 'b.address')} WHERE i.listing_id = $1::uuid AND i.units_state = 'OPEN'
              AND (i.client_network = b.client OR i.buyer_proved OR (i.provider = 'MINT_VOUCHER' AND i.status <> 'PENDING'))), 0)::bigint
        ELSE 0 END AS "ofAddress",
      CASE WHEN $6::boolean AND b.mailbox IS NOT NULL THEN
        coalesce((SELECT quantity FROM listing_buyers WHERE listing_id = $1::uuid AND kind = 'EMAIL' AND identity = b.mailbox), 0)
        + coalesce((SELECT sum(i.quantity) FROM ${ofBuyer('buyer_mailbox', 'b.mailbox')} WHERE i.listing_id = $1::uuid AND i.units_state = 'OPEN'
              AND (i.client_network = b.client OR i.buyer_proved)), 0)::bigint
        ELSE 0 END AS "ofMailbox"
    FROM unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::boolean[], $13::boolean[])
      WITH ORDINALITY AS b(request_key, address, email, mailbox, client, by_voucher, is_limited, at)
    LEFT JOIN LATERAL (SELECT i.id FROM purchase_intents i WHERE i.request_key = b.request_key LIMIT 1) earlier ON true
    LEFT JOIN LATERAL (SELECT i.id, i.quantity, i.secret_hash FROM ${ofBuyer('buyer_address', 'b.address')} WHERE i.listing_id = $1::uuid
      AND i.provider = 'MINT_VOUCHER' AND i.status = 'PENDING' AND i.expires_at > $3::timestamptz ORDER BY i.id DESC LIMIT 1) open ON b.by_voucher
    ORDER BY b.at`,
}

/** $3: as many purchases as matter; none where no proof is asked for by them. $5: whether earlier proofs matter. $6: open unpaid ones. */
const READ_CLIENTS: Statement = {
  name: 'read_clients',
  text: `SELECT c.client,
      (SELECT count(*) FROM (SELECT 1 FROM purchase_intents i WHERE i.organization_id = $2::uuid AND i.client_network = c.client
        AND i.created_at > $4::timestamptz AND i.listing_id = $1::uuid LIMIT $3::int) counted) AS purchases,
      CASE WHEN $5::boolean THEN (SELECT count(*) FROM purchase_intents i WHERE i.organization_id = $2::uuid AND i.client_network = c.client
        AND i.created_at > $7::timestamptz AND i.proof_hash IS NOT NULL) ELSE 0 END AS proofs,
      ARRAY(SELECT i.expires_at FROM purchase_intents i WHERE i.organization_id = $2::uuid AND i.client_network = c.client
        AND i.listing_id = $1::uuid AND i.status = 'PENDING' LIMIT $6::int) AS unpaid
    FROM unnest($8::text[]) AS c(client)`,
}

/**
 * Locks what a batch of orders of one listing changes, in the order of locks, and reads what decides them: all in the first round trip of
 * their transaction. null where the listing is gone.
 */
export async function readFacts(
  run: Run,
  { id, organizationId, collectionId, itemId, networkId, policyType, snapshotId, maxPerUser, proofOfWork }: Offer,
  orders: readonly Order[],
  now: Date,
): Promise<Facts | null> {
  const units = orders.reduce((sum, { terms }) => sum + terms.quantity, 0n)
  const clients = [...new Set(orders.map(({ ctx }) => clientNetwork(ctx.clientAddress)))]
  const ofClients = env.OPEN_INTENTS_PER_CLIENT
  const [locks, ...rest] = [
    call(LOCK_BUYERS, buyerLocksOf(orders)),
    call(LOCK_OFFER, id),
    itemId === null ? call(LOCK_FREE_ITEMS, collectionId, id, units) : call(LOCK_ITEM, itemId),
    call(LOCK_HOLD, 'LISTING', id),
    call(LOCK_COLLECTION, collectionId),
    call(LOCK_WAITING, collectionId),
    gasCall(organizationId, networkId, now),
    buyersCall({ id, organizationId, policyType, snapshotId, maxPerUser }, orders, now),
    call(
      READ_CLIENTS,
      id,
      organizationId,
      asksUnderPressure() && !proofOfWork ? ofClients : 0,
      secondsFrom(now, -USUAL_SECONDS),
      env.PROOF_OF_WORK === 'auto' && (proofOfWork || asksUnderPressure()),
      orders.some(isByVoucher) ? ofClients : 0,
      secondsFrom(now, -EARLIER_SECONDS),
      clients,
    ),
  ] as [Call, ...Call[]]
  const answers = await run(...[locks, ...rest])
  const [, [offerRow], items, [hold], [collection], [waiting], [gas], buyers, clientRows] = answers as unknown as [
    unknown,
    OfferRow[],
    ItemFacts[],
    LockedHold[],
    CollectionFacts[],
    WaitingTransaction[],
    GasRow[],
    BuyerFacts[],
    ClientFacts[],
  ]
  if (!offerRow || !collection) return null
  return {
    offer: offerOf(offerRow),
    hold: hold ?? null,
    items,
    collection,
    gas: gasOf(gas!),
    waiting: waiting ?? null,
    buyers,
    clients: new Map(clientRows.map((row) => [row.client, row])),
  }
}

const buyersCall = (
  {
    id,
    organizationId,
    policyType,
    snapshotId,
    maxPerUser,
  }: Pick<Offer, 'id' | 'organizationId' | 'policyType' | 'snapshotId' | 'maxPerUser'>,
  orders: readonly Order[],
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
    orders.map((order) => isByVoucher(order) && env.OPEN_INTENTS_PER_BUYER > 0),
  )
