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
    /** How many mint requests ride on it, and the upper bound of what they cost in wei. */
    mints?: { count: number; gasWei?: bigint }
    /** true: no other mint request joins it. */
    isClosed?: boolean
  }
}[Exclude<TransactionType, 'CANCEL'>]

/** Writes a transaction to be sent, in the database transaction of its cause, and returns its id. The only place where one begins. */
export async function openTransaction(
  tx: Context,
  { collectionId, networkId, txType, payload, mints, isClosed = false }: NewTransaction,
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
      ...(mints?.gasWei !== undefined && { gasCostWei: mints.gasWei.toString() }),
      ...(isClosed && { closedAt: tx.now() }),
      createdAt: tx.now(),
    },
  })
  return id
}
