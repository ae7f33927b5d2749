import type { TransactionType } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'
import { writeIn } from '../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../db/statements.ts'
import { PAYLOADS, type Payload } from './payload.ts'

export type NewTransaction = {
  [T in TransactionType]: {
    collectionId: string
    networkId: number
    txType: T
    payload: Payload<T>
    /** How many mint requests ride on it. */
    mints?: { count: number }
    /** The wei that the gas budget counts for the transaction until it is signed. 0: there is no budget. */
    gasWei?: bigint
    /** true: no other mint request joins it. */
    isClosed?: boolean
  }
}[TransactionType]

const OPEN: Statement = {
  name: 'open_transactions',
  text: `INSERT INTO transactions (id, organization_id, collection_id, network_id, tx_type, payload, mint_count,
      gas_cost_wei, closed_at, request_id, created_at, updated_at)
    SELECT t.id, $1::uuid, t.collection_id, t.network_id, t.tx_type::"TransactionType", t.payload::jsonb, t.mint_count,
      nullif(t.gas_wei, 0), CASE WHEN t.is_closed THEN $2::timestamptz END, t.request_id, $2::timestamptz,
      $2::timestamptz
    FROM unnest($3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::int[], $9::numeric[], $10::boolean[],
        $11::text[])
      AS t(id, collection_id, network_id, tx_type, payload, mint_count, gas_wei, is_closed, request_id)`,
}

/** The statement that writes transactions to be sent. They begin in this file only. */
export const openTransactionsCall = (
  organizationId: string,
  opened: readonly (NewTransaction & { id: string; requestId: string })[],
  now: Date,
): Call =>
  call(
    OPEN,
    organizationId,
    now,
    opened.map(({ id }) => id),
    opened.map(({ collectionId }) => collectionId),
    opened.map(({ networkId }) => networkId),
    opened.map(({ txType }) => txType),
    opened.map(({ txType, payload }) => JSON.stringify(PAYLOADS[txType].parse(payload))),
    opened.map(({ mints }) => mints?.count ?? 0),
    opened.map(({ gasWei = 0n }) => gasWei.toString()),
    opened.map(({ isClosed = false }) => isClosed),
    opened.map(({ requestId }) => requestId),
  )

/** Writes a transaction to be sent, in the database transaction of its cause, and returns its id. */
export async function openTransaction(tx: Context, order: NewTransaction): Promise<string> {
  const id = newId()
  const opened = { ...order, id, requestId: tx.requestId }
  await writeIn(tx, openTransactionsCall(tx.organizationId, [opened], tx.now()))
  return id
}
