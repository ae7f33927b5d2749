import type { Voucher, VoucherState } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

/** The states of a voucher. The chain decides: a mint counts even of a voucher that had ended here. */
const NEXT = {
  PENDING: ['REDEEMED', 'EXPIRED', 'CANCELLED'],
  REDEEMED: ['PENDING'],
  EXPIRED: ['REDEEMED'],
  CANCELLED: ['REDEEMED', 'PENDING'],
} as const satisfies Record<VoucherState, readonly VoucherState[]>

type Moved = Pick<Voucher, 'id' | 'organizationId' | 'state'>

/** Moves a voucher one step. The only writer of its state. */
export async function advanceVoucher(
  tx: Context,
  voucher: Moved,
  to: VoucherState,
  txHash?: string | null,
): Promise<void> {
  if (!(NEXT[voucher.state] as readonly VoucherState[]).includes(to))
    throw new AppError('conflict', `A voucher that is ${voucher.state} can't become ${to}.`)
  const { count } = await tx.db.voucher.updateMany({
    where: { id: voucher.id, state: voucher.state },
    data: { state: to, ...(txHash !== undefined && { txHash }) },
  })
  if (count === 0) throw new AppError('conflict', 'The voucher changed meanwhile.')
  await recordAudit(tx, {
    action: 'mint_voucher.advanced',
    subject: { type: 'mint_voucher', id: voucher.id },
    before: { state: voucher.state },
    after: { state: to },
  })
}
