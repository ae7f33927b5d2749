import { auditCall } from '../../../records/audit/record-audit.ts'
import { newId } from '../../../core/id.ts'
import { type Call, call, type Statement } from '../../../db/statements.ts'
import { type CausedEvent, eventsCall } from '../../../messaging/webhooks/record-event.ts'
import { completionOf, countBuyersCall, countSalesCall } from '../../../offers/listings/count-sales.ts'
import { mintCalls } from '../../../onchain/mints/request-together.ts'
import { vouchersCall } from '../../../onchain/vouchers/issue-voucher.ts'
import { costOfMint } from '../../../orders/gas-budget.ts'
import { releaseHoldCall, takeFromHoldCalls } from '../../../stock/hold-many.ts'
import { unitsCall } from '../hold-for-purchase.ts'
import type { Facts } from './read-facts.ts'
import { auditsOf, type Sale } from './sale.ts'

const INSERT_INTENTS: Statement = {
  name: 'insert_purchase_intents',
  text: `INSERT INTO purchase_intents (id, organization_id, listing_id, mode, provider, status, fulfillment_status,
      fulfillment_method, quantity, total, currency, buyer_email, buyer_mailbox, buyer_address, secret_hash,
      server_key_id, origin, client_address, client_network, request_key, units_state, proof_hash, expires_at,
      confirmed_at, locale, created_at, updated_at)
    SELECT p.id, $1::uuid, $2::uuid, $3::"Mode", p.provider::"PaymentProvider", p.status::"IntentStatus",
      p.fulfillment_status::"FulfillmentStatus", p.fulfillment_method::"FulfillmentMethod", p.quantity, p.total,
      $4::text, p.buyer_email, p.buyer_mailbox, p.buyer_address, p.secret_hash, p.server_key_id, p.origin,
      p.client_address, p.client_network, p.request_key, p.units_state::"IntentUnits", p.proof_hash, p.expires_at,
      p.confirmed_at, p.locale, $5::timestamptz, $5::timestamptz
    FROM unnest($6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::numeric[], $13::text[],
      $14::text[], $15::text[], $16::bytea[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[],
      $22::text[], $23::bytea[], $24::timestamptz[], $25::timestamptz[], $26::text[])
      AS p(id, provider, status, fulfillment_status, fulfillment_method, quantity, total, buyer_email, buyer_mailbox,
        buyer_address, secret_hash, server_key_id, origin, client_address, client_network, request_key, units_state,
        proof_hash, expires_at, confirmed_at, locale)`,
}

/**
 * The statements that write the purchases of a batch: what they release before what they take, and everything in the
 * order of locks. They go out together with the end of their transaction.
 */
export function salesCalls(facts: Facts, sales: readonly Sale[], now: Date): Call[] {
  const { offer, collection, minting } = facts
  const units = { open: 0n, confirmed: 0n }
  for (const { intent } of sales) units[intent.unitsState === 'OPEN' ? 'open' : 'confirmed'] += intent.quantity
  const completion = completionOf(offer, units.confirmed)
  const { id: collectionId, networkId, nextRequestId } = collection
  const vouchers = sales.flatMap(({ voucher }) => voucher ?? [])
  const confirmed = sales.flatMap((sale) => (sale.confirmed === null ? [] : { ...sale, confirmed: sale.confirmed }))
  const { organizationId } = offer
  const { ctx } = sales[0]!.order
  return [
    countSalesCall(offer, units, { isComplete: completion !== null, now }),
    intentsCall(facts, sales, now),
    unitsCall(
      organizationId,
      sales.flatMap(({ intent, units }) =>
        units.map(({ item, quantity }) => ({ intentId: intent.id, itemId: item.id, quantity })),
      ),
    ),
    ...takeFromHoldCalls(facts.hold!, collection, sales.flatMap(holdsOf), now),
    ...(completion ? [releaseHoldCall(facts.hold!, now)] : []),
    ...(confirmed.length > 0
      ? [
          countBuyersCall(
            offer,
            confirmed.map(({ intent }) => intent),
          ),
        ]
      : []),
    ...(minting
      ? mintCalls(sales.flatMap(mintsOf), {
          collection: { organizationId, id: collectionId, networkId: networkId!, nextRequestId },
          waiting: minting.waiting,
          gasWei: costOfMint(minting.gas),
          now,
        })
      : []),
    ...(vouchers.length > 0 ? [vouchersCall(vouchers)] : []),
    auditCall(
      [
        ...sales.flatMap((sale) => auditsOf(sale).map((entry) => ({ ctx: sale.order.ctx, entry }))),
        ...(completion?.audits ?? []).map((entry) => ({ ctx, entry })),
      ],
      now,
    ),
    ...eventCalls(
      [
        ...confirmed.map((sale) => ({
          organizationId,
          type: 'purchase.confirmed' as const,
          key: sale.intent.id,
          data: sale.confirmed,
          requestId: sale.order.ctx.requestId,
        })),
        ...(completion
          ? [
              {
                organizationId,
                type: 'listing.completed' as const,
                key: offer.id,
                data: completion.event,
                requestId: ctx.requestId,
              },
            ]
          : []),
      ],
      now,
    ),
  ]
}

const eventCalls = (events: readonly CausedEvent[], now: Date): Call[] =>
  events.length > 0 ? [eventsCall(events, now)] : []

const holdsOf = ({ intent, units, mints }: Sale) =>
  units.map(({ item, quantity }, at) => ({
    id: newId(),
    itemId: item.id,
    holder: mints[at]
      ? { type: 'MINT_REQUEST' as const, id: mints[at].id }
      : { type: 'PURCHASE' as const, id: intent.id },
    quantity,
  }))

const mintsOf = ({ order, intent, mints }: Sale) =>
  mints.map(({ id, unit }) => ({
    id,
    itemId: unit.item.id,
    toAddress: intent.buyerAddress!,
    quantity: unit.quantity,
    purchaseIntentId: intent.id,
    requestId: order.ctx.requestId,
  }))

function intentsCall({ offer }: Facts, sales: readonly Sale[], now: Date): Call {
  const rows = sales.map(({ intent }) => intent)
  return call(
    INSERT_INTENTS,
    offer.organizationId,
    offer.id,
    offer.mode,
    offer.currency,
    now,
    rows.map(({ id }) => id),
    rows.map(({ provider }) => provider),
    rows.map(({ status }) => status),
    rows.map(({ fulfillmentStatus }) => fulfillmentStatus),
    rows.map(({ fulfillmentMethod }) => fulfillmentMethod),
    rows.map(({ quantity }) => quantity),
    rows.map(({ total }) => total.toFixed()),
    rows.map(({ buyerEmail }) => buyerEmail),
    rows.map(({ buyerMailbox }) => buyerMailbox),
    rows.map(({ buyerAddress }) => buyerAddress),
    rows.map(({ secretHash }) => secretHash),
    rows.map(({ serverKeyId }) => serverKeyId),
    rows.map(({ origin }) => origin),
    rows.map(({ clientAddress }) => clientAddress),
    rows.map((row) => row.clientNetwork),
    rows.map(({ requestKey }) => requestKey),
    rows.map(({ unitsState }) => unitsState),
    rows.map(({ proofHash }) => proofHash),
    rows.map(({ expiresAt }) => expiresAt),
    rows.map(({ confirmedAt }) => confirmedAt),
    rows.map(({ locale }) => locale),
  )
}
