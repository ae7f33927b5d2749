import type { Voucher, VoucherState } from '../../../generated/prisma/client.ts'
import { advanceRows, stateTable } from '../../records/audit/advance-rows.ts'
import type { Context } from '../../platform/auth/context.ts'

/** The states of a voucher. The chain decides: a mint counts even of a voucher that had ended here. */
const VOUCHER = stateTable<VoucherState>('voucher', 'mint_voucher.advanced', {
  PENDING: ['REDEEMED', 'EXPIRED', 'CANCELLED'],
  REDEEMED: ['PENDING'],
  EXPIRED: ['REDEEMED'],
  CANCELLED: ['REDEEMED', 'PENDING'],
})

type Moved = Pick<Voucher, 'id' | 'organizationId' | 'state'>

/** Moves a voucher one step. The only writer of its state. */
export async function advanceVoucher(
  tx: Context,
  voucher: Moved,
  to: VoucherState,
  txHash?: string | null,
): Promise<void> {
  const { id, state } = voucher
  await advanceRows(tx, VOUCHER, [voucher], to, () =>
    tx.db.voucher.updateMany({
      where: { id, state },
      data: { state: to, ...(txHash !== undefined && { txHash }) },
    }),
  )
}
