import type { Context } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'

/** The contract knows another operator of ours: from now on it sends what the collection needs. */
export async function changeMinter(tx: Context, collectionId: string, operator: string): Promise<void> {
  const before = await tx.db.collection.findFirstOrThrow({ where: { id: collectionId }, select: { minter: true } })
  if (before.minter === operator) return
  await tx.db.collection.updateMany({ where: { id: collectionId }, data: { minter: operator } })
  await recordAudit(tx, {
    action: 'collection.minter_changed',
    subject: { type: 'collection', id: collectionId },
    before,
    after: { minter: operator },
  })
}
