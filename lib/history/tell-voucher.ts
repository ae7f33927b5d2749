import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { log } from '../core/log.ts'
import { isDatabaseDown, isRaceLost } from '../db/errors.ts'
import { voucherCancelled, voucherRedeemed, voucherUnredeemed } from '../vouchers/advance-voucher.ts'

const TELL = { redeemed: voucherRedeemed, unredeemed: voucherUnredeemed, cancelled: voucherCancelled }

/**
 * Tells a voucher, and the claim behind it, what the chain says of it. A refusal of theirs is undone alone and written to the
 * log: it must not hold up what the chain says of everything else.
 */
export async function tellVoucher(tx: Context, what: keyof typeof TELL, fact: { voucherId: string; txHash: string }): Promise<void> {
  await tx.sql(Prisma.sql`SAVEPOINT voucher`)
  try {
    await TELL[what](tx, fact)
    await tx.sql(Prisma.sql`RELEASE SAVEPOINT voucher`)
  } catch (error) {
    if (isRaceLost(error) || isDatabaseDown(error)) throw error
    await tx.sql(Prisma.sql`ROLLBACK TO SAVEPOINT voucher`)
    log.error({ error, what, fact }, 'A voucher refused what the chain says of it.')
  }
}
