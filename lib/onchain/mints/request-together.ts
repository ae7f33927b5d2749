import type { Collection, MintRequest } from '../../../generated/prisma/client.ts'
import { newId } from '../../core/id.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import { TAKE_REQUEST_NUMBERS } from '../../orders/next-request-number.ts'
import { openMintsCall } from '../../orders/open-transaction.ts'
import { MAX_MINTS_PER_TRANSACTION } from './request-mint.ts'

/** The collection that mints are requested of, locked. Hold the units before. */
export const LOCK_COLLECTION: Statement = {
  name: 'lock_minted_collection',
  text: `SELECT c.id, c.organization_id AS "organizationId", c.network_id AS "networkId", c.token_type::text AS "tokenType",
      c.deployment_status::text AS "deploymentStatus", c.next_request_id AS "nextRequestId", o.newcomer_since AS "newcomerSince"
    FROM collections c JOIN organizations o ON o.id = c.organization_id WHERE c.id = $1::uuid FOR NO KEY UPDATE OF c`,
}
export type MintedCollection = Pick<
  Collection,
  'id' | 'organizationId' | 'networkId' | 'tokenType' | 'deploymentStatus' | 'nextRequestId'
> & { newcomerSince: Date | null }

/** The collection's transaction that mint requests join, locked so that its sender can't close it meanwhile. Lock the collection before. */
export const LOCK_WAITING: Statement = {
  name: 'lock_waiting_transaction',
  text: `SELECT id, mint_count AS "mintCount" FROM transactions
    WHERE collection_id = $1::uuid AND tx_type = 'ADMIN_MINT' AND state = 'PENDING' AND closed_at IS NULL AND mint_count < ${MAX_MINTS_PER_TRANSACTION}
    ORDER BY id DESC LIMIT 1 FOR NO KEY UPDATE`,
}
export type WaitingTransaction = { id: string; mintCount: number }

const JOIN: Statement = {
  name: 'join_transaction',
  text: `UPDATE transactions SET mint_count = mint_count + $2::int, gas_cost_wei = coalesce(gas_cost_wei, 0) + $3::numeric, updated_at = $4::timestamptz
    WHERE id = $1::uuid`,
}

const INSERT: Statement = {
  name: 'insert_mint_requests',
  text: `INSERT INTO mint_requests (id, organization_id, collection_id, item_id, transaction_id, claim_id, purchase_intent_id, to_address,
      quantity, request_number, receiver_unasked, request_id, created_at, updated_at)
    SELECT m.id, $1::uuid, $2::uuid, m.item_id, m.transaction_id, m.claim_id, m.purchase_intent_id, m.to_address, m.quantity, m.request_number,
      m.receiver_unasked, m.request_id, $3::timestamptz, $3::timestamptz
    FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::text[], $10::bigint[], $11::bigint[], $12::boolean[],
      $13::text[])
      AS m(id, item_id, transaction_id, claim_id, purchase_intent_id, to_address, quantity, request_number, receiver_unasked, request_id)`,
}

/** A mint, with the claim or purchase that it is owed to. */
type NewMintRequest = Pick<MintRequest, 'id' | 'itemId' | 'toAddress' | 'quantity'> & {
  claimId?: string
  purchaseIntentId?: string
  /** No node answered: the sender asks the receiver. */
  receiverUnasked?: boolean
  requestId: string
}
type Where = {
  collection: { organizationId: string; id: string; networkId: number; nextRequestId: bigint }
  waiting: WaitingTransaction | null
  gasWei: bigint
  now: Date
}

/**
 * The statements that request many mints of a locked collection, whose holds are there. They join its waiting transaction, and open further
 * ones when it is full. `gasWei`: what the gas budget counts for each.
 */
export function mintCalls(mints: readonly NewMintRequest[], { collection, waiting, gasWei, now }: Where): Call[] {
  if (mints.length === 0) return []
  const joined = mints.slice(0, waiting ? MAX_MINTS_PER_TRANSACTION - waiting.mintCount : 0)
  const opened = Array.from(
    { length: Math.ceil((mints.length - joined.length) / MAX_MINTS_PER_TRANSACTION) },
    (_, at) => ({
      id: newId(),
      count: Math.min(MAX_MINTS_PER_TRANSACTION, mints.length - joined.length - at * MAX_MINTS_PER_TRANSACTION),
      requestId: mints[joined.length + at * MAX_MINTS_PER_TRANSACTION]!.requestId,
    }),
  )
  const carrierOf = (at: number): string =>
    at < joined.length ? waiting!.id : opened[Math.floor((at - joined.length) / MAX_MINTS_PER_TRANSACTION)]!.id
  return [
    call(TAKE_REQUEST_NUMBERS, collection.id, mints.length),
    ...(joined.length > 0 ? [call(JOIN, waiting!.id, joined.length, gasWei * BigInt(joined.length), now)] : []),
    ...(opened.length > 0
      ? [
          openMintsCall(
            collection,
            opened.map((each) => ({ ...each, gasWei: gasWei * BigInt(each.count) })),
            now,
          ),
        ]
      : []),
    call(
      INSERT,
      collection.organizationId,
      collection.id,
      now,
      mints.map(({ id }) => id),
      mints.map(({ itemId }) => itemId),
      mints.map((_, at) => carrierOf(at)),
      mints.map(({ claimId }) => claimId ?? null),
      mints.map(({ purchaseIntentId }) => purchaseIntentId ?? null),
      mints.map(({ toAddress }) => toAddress),
      mints.map(({ quantity }) => quantity),
      mints.map((_, at) => collection.nextRequestId + BigInt(at)),
      mints.map(({ receiverUnasked = false }) => receiverUnasked),
      mints.map(({ requestId }) => requestId),
    ),
  ]
}
