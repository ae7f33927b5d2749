import type { TransactionType } from '../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { newId } from '../core/id.ts'
import { PAYLOADS, type Payload } from './payload.ts'

export type Opening = {
  [T in Exclude<TransactionType, 'ADMIN_MINT' | 'CANCEL'>]: { collectionId: string; networkId: number; txType: T; payload: Payload<T> }
}[Exclude<TransactionType, 'ADMIN_MINT' | 'CANCEL'>]

/** Writes down something to be sent that isn't a mint, in the transaction of its cause. The sender takes it from there. */
export async function openTransaction(tx: Context, { collectionId, networkId, txType, payload }: Opening): Promise<{ id: string }> {
  const id = newId()
  await tx.db.transaction.create({
    data: {
      id,
      organizationId: tx.organizationId,
      collectionId,
      networkId,
      txType,
      payload: PAYLOADS[txType].parse(payload),
      createdAt: tx.now(),
    },
  })
  return { id }
}
