import { type AnyContext, type ModelsContext, organizationIdOf } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import { log } from '../../core/log.ts'

export type AlarmKind =
  | 'operator_low'
  | 'operator_stuck'
  | 'operator_missing'
  | 'voucher_key_missing'
  | 'broadcast_refused'
  | 'nonce_taken'
  | 'books_behind'
  | 'unmatched_mint'
  | 'request_numbers_short'
  | 'reorg_too_deep'
  | 'indexing_stuck'
  | 'indexing_late'
  | 'node_of_other_chain'
  | 'mint_without_log'
  | 'foreign_mint'
  | 'token_gone'
  | 'chunk_range_lost'
  | 'return_refused'
  | 'mailbox_lost'
  | 'deployment_unexpected'
  | 'mail_failed'
  | 'mail_stopped'
  | 'email_words_refused'
  | 'chain_down'
  | 'worker_silent'
  | 'clock_apart'
  | 'server_key_missing'
  | 'purchase_unresolved'
  | 'payment_mismatch'
  | 'payment_disputed'
  | 'refund_stuck'
  | 'card_account_lost'
  | 'account_recovering'
  | 'purchase_recovered'
  | 'payment_lost'
  | 'webhook_disabled'
  | 'row_stuck'
  | 'abuse_reported'
  | 'newcomer'

/** Opens an alarm for those who run the installation. Does nothing while one of the same kind and subject is open. */
export async function raiseAlarm(
  ctx: AnyContext | ModelsContext<'alarm'>,
  kind: AlarmKind,
  subject: string,
  detail: string,
): Promise<void> {
  const { count } = await ctx.db.alarm.createMany({
    data: [
      {
        id: newId(),
        organizationId: organizationIdOf(ctx),
        kind,
        subject,
        detail,
        createdAt: ctx.now(),
      },
    ],
    skipDuplicates: true,
  })
  if (count > 0) log.warn({ kind, subject }, detail)
}

/** Closes the open alarm of this kind and subject, if there is one. */
export async function resolveAlarm(ctx: AnyContext, kind: AlarmKind, subject: string): Promise<void> {
  await ctx.db.alarm.updateMany({ where: { kind, subject, resolvedAt: null }, data: { resolvedAt: ctx.now() } })
}
