import type { TransactionType } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'
import { PAYLOADS, type Payload } from './payload.ts'

export type NewTransaction = {
  [T in Exclude<TransactionType, 'CANCEL'>]: {
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
}[Exclude<TransactionType, 'CANCEL'>]

/** Writes a transaction to be sent, in the database transaction of its cause, and returns its id. The only place where one begins. */
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
      createdAt: tx.now(),
    },
  })
  return id
}
