import { changeSigner } from '../../catalog/collections/change-signer.ts'
import { ROLES } from '../../core/contracts/calls.ts'
import { payloadOf } from '../../orders/payload.ts'
import type { Context } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { SendingRow } from './sending-row.ts'

/**
 * An operator of ours got the minter role: from now on it sends what the collection needs. The one before may have lost its key. A
 * signer of ours got the signer role: from now on it signs the collection's vouchers.
 */
export async function changeRoles(tx: Context, row: SendingRow): Promise<void> {
  const { account, roles } = payloadOf('SET_ROLES', row.payload)
  const operator = tx.ports.keys.operators.find((own) => own === account)
  if (operator && (BigInt(roles) & ROLES.MINTER) !== 0n) await changeMinter(tx, row.collectionId, operator)
  if ((BigInt(roles) & ROLES.SIGNER) === 0n) return
  const signer = tx.ports.keys.voucherSigners(row.collectionId).find((own) => own === account)
  if (signer) await changeSigner(tx, row.collectionId, signer)
}

async function changeMinter(tx: Context, collectionId: string, operator: string): Promise<void> {
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
