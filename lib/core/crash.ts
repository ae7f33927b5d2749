import { env } from './env.ts'
import { oncePerProcess } from './once-per-process.ts'

/**
 * Places at which a process may die, or PostgreSQL may, without losing or doubling anything: something outside was done
 * or is about to be, or one transaction has ended and the next is to come. Fault tests stop there
 * (tests/faults/matrix).
 */
export type CrashPoint =
  // The chain: a transaction’s way, the indexer, vouchers, signed transfers, recovery.
  | 'transaction_closed'
  | 'before_signing'
  | 'after_storing'
  | 'after_broadcasting'
  | 'after_mining'
  | 'receipt_applied'
  | 'batch_split'
  | 'blocks_read'
  | 'blocks_written'
  | 'blocks_entered'
  | 'reorg_undone'
  | 'reorg_recorded'
  | 'tokens_adopted'
  | 'metadata_saved'
  | 'fact_applied'
  | 'voucher_signed'
  | 'voucher_ended'
  | 'transfer_requested'
  | 'transfer_refused'
  | 'recovery_begun'
  | 'mint_decided'
  | 'claim_matched'
  | 'escrow_matched'
  | 'arrival_decided'
  | 'recovery_ended'
  // Selling.
  | 'units_held'
  | 'payment_created'
  | 'event_received'
  | 'payment_read'
  | 'event_processed'
  | 'before_fulfilling'
  | 'purchase_continued'
  | 'payment_cancelling'
  | 'payment_cancelled'
  | 'refund_taken'
  | 'refund_created'
  | 'refund_recorded'
  | 'account_opened'
  | 'lost_payment_found'
  // Giving.
  | 'claim_expired'
  | 'claim_reminded'
  | 'escrow_settled'
  // Mail, webhooks, alarms.
  | 'mail_leased'
  | 'mail_sent'
  | 'mail_recorded'
  | 'delivery_leased'
  | 'webhook_posted'
  | 'delivery_recorded'
  | 'alarm_told'
  | 'alarm_mailed'
  | 'alarm_posted'
  | 'batch_removed'
  // Files and figures.
  | 'lines_done'
  | 'lines_settled'
  | 'page_read'
  | 'image_stored'
  | 'snapshot_begun'
  | 'moves_added'
  | 'figures_folded'
  | 'rows_deleted'
  // Commands of the operator.
  | 'values_resealed'
  | 'minter_requested'
  | 'signer_requested'
  // Requests, jobs, timers.
  | 'request_taken'
  | 'storing_answer'
  | 'answer_ready'
  | 'job_taken'
  | 'job_done'
  | 'row_done'
  | 'lease_taken'

/** Where this process kills itself, and where it stops, one after the other. */
type Armed = { crashAt: string; stopAt: readonly string[] }

const shared = oncePerProcess<{ armed: Armed }>('crash points', () => ({
  armed: { crashAt: env.CRASH_AT, stopAt: env.STOP_AT.split(',') },
}))

/** Replaces what the settings CRASH_AT and STOP_AT say, so that fault tests can use one process for many points. */
export const armCrashPoints = (armed: Armed): void => void (shared.armed = armed)

/**
 * Kills this process with SIGKILL when the setting CRASH_AT names this point. When it is the next of STOP_AT, the
 * process stops there with SIGSTOP, once, until somebody sends SIGCONT.
 */
export function crashPoint(name: CrashPoint): void {
  const { crashAt, stopAt } = shared.armed
  if (crashAt === name) process.kill(process.pid, 'SIGKILL')
  if (stopAt[0] !== name) return
  shared.armed = { crashAt, stopAt: stopAt.slice(1) }
  process.kill(process.pid, 'SIGSTOP')
}
