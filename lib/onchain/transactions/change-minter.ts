import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { payloadOf } from '../../orders/payload.ts'
import type { SendingRow } from './sending-row.ts'

const MINTER = 1n

/** An operator of ours got the minter role: from now on it sends what the collection needs. The one before may have lost its key. */
export async function changeMinter(tx: Context, row: SendingRow): Promise<void> {
  const { account, roles } = payloadOf('SET_ROLES', row.payload)
  const operator = tx.ports.keys.operators.find((own) => own === account)
  if (!operator || (BigInt(roles) & MINTER) === 0n) return
  const before = await tx.db.collection.findFirstOrThrow({ where: { id: row.collectionId }, select: { minter: true } })
  if (before.minter === operator) return
  await tx.db.collection.updateMany({ where: { id: row.collectionId }, data: { minter: operator } })
  await recordAudit(tx, {
    action: 'collection.minter_changed',
    subject: { type: 'collection', id: row.collectionId },
    before,
    after: { minter: operator },
  })
}
