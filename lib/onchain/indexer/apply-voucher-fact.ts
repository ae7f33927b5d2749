import { within, type WorkerContext } from '../../platform/auth/context.ts'
import { log } from '../../core/log.ts'
import {
  voucherCancelled,
  type VoucherFact,
  voucherRedeemed,
  voucherUnredeemed,
} from '../vouchers/apply-voucher-fact.ts'
import { attempt } from './attempt.ts'

const APPLY = { redeemed: voucherRedeemed, unredeemed: voucherUnredeemed, cancelled: voucherCancelled }

/**
 * Applies what the chain says of a voucher to it and its claim or purchase, in a savepoint: a failure is undone alone
 * and logged, and everything else of the block is entered.
 */
export async function applyVoucherFact(
  tx: WorkerContext,
  organizationId: string,
  what: keyof typeof APPLY,
  fact: VoucherFact,
): Promise<void> {
  const failure = await attempt(tx, () => within(tx, organizationId, (own) => APPLY[what](own, fact)))
  if (failure) log.error({ error: failure.error, what, fact }, 'A voucher refused what the chain says of it.')
}
