import type { TransactionType } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'
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
    /** What the gas budget counts for it until it is signed; 0 where there is no budget. */
    gasWei?: bigint
    /** true: no other mint request joins it. */
    isClosed?: boolean
  }
}[TransactionType]

/** Writes a transaction to be sent, in the database transaction of its cause, and returns its id. One begins in this file only. */
export async function openTransaction(
  tx: Context,
  { collectionId, networkId, txType, payload, mints, gasWei, isClosed = false }: NewTransaction,
): Promise<string> {
  const id = newId()
  await tx.db.transaction.create({
    data: {
      id,
      organizationId: tx.organizationId,
      collectionId,
      networkId,
      txType,
      payload: PAYLOADS[txType].parse(payload),
      ...(mints && { mintCount: mints.count }),
      ...(gasWei && { gasCostWei: gasWei.toString() }),
      ...(isClosed && { closedAt: tx.now() }),
      requestId: tx.requestId,
      createdAt: tx.now(),
    },
  })
  return id
}

const OPEN_MINTS: Statement = {
  name: 'open_mints',
  text: `INSERT INTO transactions (id, organization_id, collection_id, network_id, tx_type, payload, mint_count, gas_cost_wei, request_id,
      created_at, updated_at)
    SELECT t.id, $1::uuid, $2::uuid, $3::int, 'ADMIN_MINT', '{}', t.mint_count, nullif(t.gas_wei, 0), t.request_id,
      $4::timestamptz, $4::timestamptz
    FROM unnest($5::uuid[], $6::int[], $7::numeric[], $8::text[]) AS t(id, mint_count, gas_wei, request_id)`,
}

/** The statement that opens transactions for many mint requests of a collection. */
export const openMintsCall = (
  { organizationId, id, networkId }: { organizationId: string; id: string; networkId: number },
  opened: readonly { id: string; count: number; gasWei: bigint; requestId: string }[],
  now: Date,
): Call =>
  call(
    OPEN_MINTS,
    organizationId,
    id,
    networkId,
    now,
    opened.map((each) => each.id),
    opened.map(({ count }) => count),
    opened.map(({ gasWei }) => gasWei),
    opened.map(({ requestId }) => requestId),
  )
