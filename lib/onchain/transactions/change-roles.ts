import { changeMinter } from '../../catalog/collections/change-minter.ts'
import { changeSigner } from '../../catalog/collections/change-signer.ts'
import { ROLES } from '../../core/contracts/calls.ts'
import { payloadOf } from '../../orders/payload.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { SendingRow } from './sending-row.ts'

/**
 * An operator of ours got the minter role: from now on it sends what the collection needs. The one before may have lost
 * its key. A signer of ours got the signer role: from now on it signs the collection's vouchers.
 */
export async function changeRoles(tx: Context, row: SendingRow): Promise<void> {
  const { account, roles } = payloadOf('SET_ROLES', row.payload)
  const operator = tx.ports.keys.operators.find((own) => own === account)
  if (operator && (BigInt(roles) & ROLES.MINTER) !== 0n) await changeMinter(tx, row.collectionId, operator)
  if ((BigInt(roles) & ROLES.SIGNER) === 0n) return
  const signer = tx.ports.keys.voucherSigners(row.collectionId).find((own) => own === account)
  if (signer) await changeSigner(tx, row.collectionId, signer)
}
