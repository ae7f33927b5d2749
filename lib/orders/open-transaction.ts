import type { TransactionType } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { newId } from '../core/id.ts'
import { PAYLOADS, type Payload } from './payload.ts'

export type Opening = {
  [T in Exclude<TransactionType, 'ADMIN_MINT' | 'CANCEL'>]: {
    collectionId: string
    networkId: number
    txType: T
    payload: Payload<T>
    /** Of a transfer: the one order it carries out, and what that may cost. */
    carries?: { mints: 1; gasWei: bigint }
  }
}[Exclude<TransactionType, 'ADMIN_MINT' | 'CANCEL'>]

/** Writes down something to be sent that isn't a mint, in the transaction of its cause. The sender takes it from there. */
export async function openTransaction(
  tx: Context,
  { collectionId, networkId, txType, payload, carries }: Opening,
): Promise<{ id: string }> {
  const id = newId()
  await tx.db.transaction.create({
    data: {
      id,
      organizationId: tx.organizationId,
      collectionId,
      networkId,
      txType,
      payload: PAYLOADS[txType].parse(payload),
      ...(carries && { mintCount: carries.mints, gasCostWei: carries.gasWei.toString() }),
      createdAt: tx.now(),
    },
  })
  return { id }
}
