import type { Voucher, VoucherState } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { claimDelivered } from '../../giving/claim-delivered.ts'
import { claimUndelivered } from '../../giving/claim-undelivered.ts'
import { giveUnitsBack } from '../../giving/give-units-back.ts'
import { lockClaim } from '../../giving/read-claim.ts'
import { AppError } from '../../core/errors.ts'
import { purchaseUndelivered } from '../../selling/purchases/purchase-delivered.ts'
import { purchaseRedeemed, purchaseVoucherEnded } from '../../selling/purchases/purchase-voucher.ts'

/** The life of a voucher. What the chain says goes: a mint is a mint, even of a voucher we took for dead. */
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

/** What the chain says of a voucher, and in which transaction. */
export type VoucherFact = { voucherId: string; txHash: string }

/** The voucher, with its claim locked before it is read. */
async function lockVoucher(tx: Context, { voucherId: id }: VoucherFact): Promise<Voucher | null> {
  const found = await tx.db.voucher.findFirst({ where: { id }, select: { claimId: true } })
  if (found?.claimId) await lockClaim(tx, found.claimId)
  return tx.db.voucher.findFirst({ where: { id } })
}

/** Its mint stands on the chain: what it was signed for is delivered. */
export async function voucherRedeemed(tx: Context, fact: VoucherFact): Promise<void> {
  const voucher = await lockVoucher(tx, fact)
  if (!voucher || voucher.state === 'REDEEMED') return
  await advanceVoucher(tx, voucher, 'REDEEMED', fact.txHash)
  if (voucher.claimId) await claimDelivered(tx, voucher.claimId, { txHash: fact.txHash, toAddress: voucher.minter })
  if (voucher.purchaseIntentId) await purchaseRedeemed(tx, voucher.purchaseIntentId)
}

/** A reorg took that mint back: the voucher can be sent again. */
export async function voucherUnredeemed(tx: Context, fact: VoucherFact): Promise<void> {
  const voucher = await lockVoucher(tx, fact)
  if (voucher?.state !== 'REDEEMED') return
  await advanceVoucher(tx, voucher, 'PENDING', null)
  if (voucher.claimId) await claimUndelivered(tx, voucher.claimId)
  if (voucher.purchaseIntentId) await purchaseUndelivered(tx, voucher.purchaseIntentId)
}

/** The contract refuses it from now on, and so deep that no reorg takes that back. */
export async function voucherCancelled(tx: Context, fact: VoucherFact): Promise<void> {
  const voucher = await lockVoucher(tx, fact)
  if (voucher?.state === 'PENDING') await endVoucher(tx, voucher, 'CANCELLED')
}

/** Nobody can mint with it any more. Its claim may issue another one; that of a revoked claim, and a purchase, give their units back. */
export async function endVoucher(tx: Context, voucher: Voucher, to: 'EXPIRED' | 'CANCELLED'): Promise<void> {
  await advanceVoucher(tx, voucher, to)
  const claim = voucher.claimId === null ? null : await lockClaim(tx, voucher.claimId)
  if (claim?.state === 'REVOKED') await giveUnitsBack(tx, claim, 'REVOKED')
  if (voucher.purchaseIntentId) await purchaseVoucherEnded(tx, voucher.purchaseIntentId, to)
}
