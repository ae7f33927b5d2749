import type { MintRequest } from '../../../generated/prisma/client.ts'
import { newId } from '../../core/id.ts'
import { inGroups } from '../../core/in-groups.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { writeIn } from '../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import { TAKE_REQUEST_NUMBERS } from '../../orders/next-request-number.ts'
import { openTransactionsCall } from '../../orders/open-transaction.ts'
import type { Payload } from '../../orders/payload.ts'
import { spendGasBudget } from '../../orders/gas-budget.ts'
import type { Context } from '../../platform/auth/context.ts'

/** The most mint requests on one transaction. */
export const MAX_MINTS_PER_TRANSACTION = 100

const COLLECTION = columns('c', 'Collection', [
  'id',
  'organizationId',
  'networkId',
  'tokenType',
  'deploymentStatus',
  'nextRequestId',
])
export type MintedCollection = RowOf<typeof COLLECTION>

/** The collection that mints are requested of, locked. Hold the units before. */
export const LOCK_COLLECTION: Statement = {
  name: 'lock_minted_collection',
  text: `SELECT ${COLLECTION}
    FROM collections c WHERE c.id = $1::uuid FOR NO KEY UPDATE`,
}

const WAITING = columns('t', 'Transaction', ['id', 'mintCount'])
export type WaitingTransaction = RowOf<typeof WAITING>

/**
 * The collection's transaction that mint requests join, locked so that its sender can't close it meanwhile. Lock the
 * collection before.
 */
export const LOCK_WAITING: Statement = {
  name: 'lock_waiting_transaction',
  text: `SELECT ${WAITING} FROM transactions t
    WHERE collection_id = $1::uuid AND tx_type = 'ADMIN_MINT' AND state = 'PENDING' AND closed_at IS NULL
      AND mint_count < ${MAX_MINTS_PER_TRANSACTION}
    ORDER BY id DESC LIMIT 1 FOR NO KEY UPDATE`,
}

const JOIN: Statement = {
  name: 'join_transaction',
  text: `UPDATE transactions SET mint_count = mint_count + $2::int,
      gas_cost_wei = coalesce(gas_cost_wei, 0) + $3::numeric, updated_at = $4::timestamptz
    WHERE id = $1::uuid`,
}

const INSERT: Statement = {
  name: 'insert_mint_requests',
  text: `INSERT INTO mint_requests (id, organization_id, collection_id, item_id, transaction_id, claim_id,
      purchase_intent_id, escrow_id, to_address, quantity, request_number, receiver_unasked, request_id,
      created_at, updated_at)
    SELECT m.id, $1::uuid, $2::uuid, m.item_id, m.transaction_id, m.claim_id, m.purchase_intent_id, m.escrow_id,
      m.to_address, m.quantity, m.request_number, m.receiver_unasked, m.request_id, $3::timestamptz, $3::timestamptz
    FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::uuid[], $10::text[], $11::bigint[],
      $12::bigint[], $13::boolean[], $14::text[])
      AS m(id, item_id, transaction_id, claim_id, purchase_intent_id, escrow_id, to_address, quantity, request_number,
        receiver_unasked, request_id)`,
}

/** A mint whose units are held for it, with the claim or purchase that it is owed to. */
export type HeldMint = Pick<MintRequest, 'id' | 'itemId' | 'toAddress' | 'quantity'> & {
  claimId?: string
  purchaseIntentId?: string
  /** The escrow whose token it is: what this costs was counted when the transfer was accepted. */
  escrowId?: string | null
  /** The operator that hands the token over, which it has in custody. */
  custodian?: string | null
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
 * The statements that request many mints of a locked collection. They join its waiting transaction, and open further
 * ones when it is full. Only the custodian can send a token in custody, so that is handed over in a transaction of its
 * own. `gasWei`: what the gas budget counts for each.
 */
export function mintCalls(mints: readonly HeldMint[], { collection, waiting, gasWei, now }: Where): Call[] {
  if (mints.length === 0) return []
  const { organizationId, id: collectionId, networkId } = collection
  const shared = mints.filter(({ custodian }) => custodian == null)
  const joined = shared.slice(0, waiting ? MAX_MINTS_PER_TRANSACTION - waiting.mintCount : 0)
  const costOf = (riding: readonly HeldMint[]) => gasWei * BigInt(riding.filter(({ escrowId }) => !escrowId).length)
  const open = (riding: readonly HeldMint[]) => ({
    id: newId(),
    riding,
    collectionId,
    networkId,
    ...callOf(riding[0]!),
    mints: { count: riding.length },
    gasWei: costOf(riding),
    requestId: riding[0]!.requestId,
  })
  const opened = [
    ...inGroups(shared.slice(joined.length), MAX_MINTS_PER_TRANSACTION).map(open),
    ...mints.flatMap((mint) => (mint.custodian == null ? [] : [open([mint])])),
  ]
  const carriers = new Map([
    ...joined.map(({ id }) => [id, waiting!.id] as const),
    ...opened.flatMap(({ id, riding }) => riding.map((mint) => [mint.id, id] as const)),
  ])
  return [
    call(TAKE_REQUEST_NUMBERS, collectionId, mints.length),
    ...(joined.length > 0 ? [call(JOIN, waiting!.id, joined.length, costOf(joined), now)] : []),
    ...(opened.length > 0 ? [openTransactionsCall(organizationId, opened, now)] : []),
    call(
      INSERT,
      organizationId,
      collectionId,
      now,
      mints.map(({ id }) => id),
      mints.map(({ itemId }) => itemId),
      mints.map(({ id }) => carriers.get(id)!),
      mints.map(({ claimId }) => claimId ?? null),
      mints.map(({ purchaseIntentId }) => purchaseIntentId ?? null),
      mints.map(({ escrowId }) => escrowId ?? null),
      mints.map(({ toAddress }) => toAddress),
      mints.map(({ quantity }) => quantity),
      mints.map((_, at) => collection.nextRequestId + BigInt(at)),
      mints.map(({ receiverUnasked = false }) => receiverUnasked),
      mints.map(({ requestId }) => requestId),
    ),
  ]
}

type MintTransaction = { [T in 'ADMIN_MINT' | 'TRANSFER_TOKEN']: { txType: T; payload: Payload<T> } }[
  'ADMIN_MINT' | 'TRANSFER_TOKEN']
/** The call of the transaction that a mint opens. */
const callOf = ({ custodian, itemId, toAddress, quantity }: HeldMint): MintTransaction =>
  custodian == null
    ? { txType: 'ADMIN_MINT', payload: {} }
    : {
        txType: 'TRANSFER_TOKEN',
        payload: { item_id: itemId, from: custodian, to: toAddress, quantity: quantity.toString() },
      }

/** Requests mints of a collection in the transaction that has taken their holds. Throws `gas_budget_spent`. */
export async function requestHeldMints(
  tx: Context,
  { collectionId, networkId }: { collectionId: string; networkId: number },
  mints: readonly HeldMint[],
): Promise<void> {
  const [collection] = await tx.rows<MintedCollection>(LOCK_COLLECTION, collectionId)
  const [waiting = null] = await tx.rows<WaitingTransaction>(LOCK_WAITING, collectionId)
  const counted = mints.filter(({ escrowId }) => !escrowId).length
  const gasWei = counted > 0 ? await spendGasBudget(tx, networkId, counted) : 0n
  const where = { collection: { ...collection!, networkId }, waiting, gasWei, now: tx.now() }
  await writeIn(tx, ...mintCalls(mints, where))
}
