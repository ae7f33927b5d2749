import type { Context } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'

/** The contract knows another signer of ours: from now on it signs the collection's vouchers. */
export async function changeSigner(tx: Context, collectionId: string, signer: string): Promise<void> {
  const before = await tx.db.collection.findFirstOrThrow({ where: { id: collectionId }, select: { signer: true } })
  if (before.signer === signer) return
  await tx.db.collection.updateMany({ where: { id: collectionId }, data: { signer } })
  await recordAudit(tx, {
    action: 'collection.signer_changed',
    subject: { type: 'collection', id: collectionId },
    before,
    after: { signer },
  })
}
