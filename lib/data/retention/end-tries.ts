import { Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { TaskKind } from '../../platform/jobs/row-tries.ts'

/** The row that a task failed for. Rows of other releases may have ids that aren't UUIDs. */
const ROW = Prisma.sql`CASE WHEN t.row_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN t.row_id::uuid END`

const is = (table: string, condition: string | Prisma.Sql, id = ROW): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT 1 FROM ${Prisma.raw(table)} r
      WHERE r.id = ${id} AND (${typeof condition === 'string' ? Prisma.raw(condition) : condition}))`

/**
 * Until when a row concerns each task. A condition may hold for longer than the task finds the row due, but never while
 * it finds it due. Rows that are checked again and again are over once another check came after the next try's time.
 */
const concerns = (now: Prisma.Sql): Record<TaskKind, Prisma.Sql> => ({
  'send transaction': is('transactions', `r.state = 'PENDING'`),
  'watch transaction': is('transactions', `r.state = 'SUBMITTED'`),
  'make transaction final': is('transactions', `r.state <> 'SUBMITTED' AND r.final_at IS NULL`),
  'expire vouchers': is('vouchers', `r.state = 'PENDING'`),
  'expire transfers': is('signed_transfers', `r.state = 'PENDING'`),
  'match claim': is(
    'unmatched_mints',
    `r.state = 'OURS' AND EXISTS (
      SELECT 1 FROM holds h JOIN email_claims e ON e.id = h.holder_id AND e.state IN ('OPEN', 'LOCKED')
      WHERE h.item_id = r.item_id AND h.holder_type = 'CLAIM' AND h.state IN ('HELD', 'EXCEPTION'))`,
  ),
  'decide unmatched mint': is('unmatched_mints', `r.state = 'UNCHECKED'`),
  'decide arrival': Prisma.sql`EXISTS (
    SELECT 1 FROM holds h
    WHERE h.holder_type = 'ARRIVAL' AND h.holder_id = ${ROW} AND h.state IN ('HELD', 'EXCEPTION'))`,
  'match escrow': is(
    'unmatched_mints',
    `r.state = 'OURS' AND EXISTS (
      SELECT 1 FROM holds h
      WHERE h.item_id = r.item_id AND h.holder_type = 'ESCROW' AND h.state IN ('HELD', 'EXCEPTION'))`,
  ),
  'start and end listings': is(
    'listings',
    Prisma.sql`r.status = 'SCHEDULED' AND (r.starts_at IS NULL OR r.starts_at <= ${now})
        OR r.status IN ('SCHEDULED', 'ACTIVE', 'PAUSED') AND r.ends_at <= ${now}`,
  ),
  'expire claims': is('email_claims', Prisma.sql`r.state IN ('OPEN', 'LOCKED') AND r.expires_at <= ${now}`),
  'lift locks': is('email_claims', `r.state = 'LOCKED'`),
  'remind claims': is('email_claims', Prisma.sql`r.state = 'OPEN' AND r.reminded_at IS NULL AND r.expires_at > ${now}`),
  'return unopened': is('email_claims', `r.state = 'OPEN' AND r.opened_at IS NULL AND r.last_pin_sent_at IS NULL`),
  'settle escrows': is('escrows', `r.state IN ('WAITING', 'HELD', 'OFFERED', 'RETURNING', 'RETURN_REFUSED')`),
  'finish deletions': Prisma.sql`${is('campaigns', 'r.deleted_at IS NOT NULL')}
    OR ${is('webhooks', 'r.deleted_at IS NOT NULL')}`,
  'wipe old mail': is('outbox_messages', `r.state = 'PENDING'`),
  'take snapshots': is('snapshots', `r.ready_at IS NULL AND r.failure IS NULL`),
  'cancel old import': is('imports', `r.ended_at IS NULL AND r.started_at IS NULL`),
  'run imports': is('imports', `r.state = 'RUNNING'`),
  'continue purchases': is(
    'purchase_intents',
    `r.status = 'CONFIRMED' AND r.fulfillment_status = 'PENDING'
      OR r.status <> 'UNRESOLVED' AND r.fulfillment_status = 'EXCEPTION'
        AND (r.units_state <> 'RETURNED'
          OR EXISTS (SELECT 1 FROM payments p WHERE p.intent_id = r.id AND p.state = 'SUCCEEDED'))
      OR r.status = 'CONFIRMED' AND r.fulfillment_status = 'ASSIGNED' AND EXISTS (
        SELECT 1 FROM holds h WHERE h.state = 'EXCEPTION'
          AND (h.holder_id = r.id
            OR h.holder_id IN (SELECT e.id FROM email_claims e WHERE e.purchase_intent_id = r.id)))`,
  ),
  'expire purchases': is('purchase_intents', Prisma.sql`r.status = 'PENDING' AND r.expires_at <= ${now}`),
  'reconcile open payments': is(
    'payments',
    `r.state IN ('CREATING', 'OPEN', 'CANCELLING')
      AND EXISTS (SELECT 1 FROM purchase_intents i WHERE i.id = r.intent_id AND i.status <> 'UNRESOLVED')`,
  ),
  'refund payments': is('payments', `r.state = 'REFUNDING'`),
  'process card events': is('card_events', `r.processed_at IS NULL`, Prisma.sql`t.row_id`),
  'reconcile paid payments': is(
    'payments',
    `r.state IN ('SUCCEEDED', 'REFUNDING', 'DISPUTED', 'CANCELLING') AND r.checked_at <= t.next_try_at`,
  ),
  'reconcile lost payments': is('lost_payments', `r.outcome = 'UNMATCHED' AND r.refunded_at IS NULL`),
  'read card accounts': is(
    'payment_integrations',
    `r.status <> 'DISCONNECTED' AND (r.refreshed_at IS NULL OR r.refreshed_at <= t.next_try_at)`,
  ),
  'list card payments': is('payment_integrations', `r.status <> 'DISCONNECTED'`),
  'check web domains': is('organizations', Prisma.sql`r.web_domain IS NOT NULL AND r.web_domain_due_at <= ${now}`),
  'mark metadata': Prisma.sql`EXISTS (SELECT 1 FROM metadata_passes p
      WHERE p.collection_id = ${ROW} AND p.due_at IS NOT NULL)`,
  'adopt tokens': is(
    'collections',
    `r.deployment_type = 'EXTERNAL' AND EXISTS (
      SELECT 1 FROM item_history h WHERE h.network_id = r.network_id AND h.collection_id = r.id AND h.item_id IS NULL)`,
  ),
})

/**
 * Forgets the failed tries of rows that were done in another way, or that there is nothing to do for any more, and ends
 * their alarms. A row that still concerns its task is left to that one.
 */
export const endTries = (worker: SystemContext): Promise<void> =>
  inTransaction(worker, async (tx) => {
    const now = Prisma.sql`${tx.now().toISOString()}::timestamptz`
    const cases = Object.entries(concerns(now)).map(
      ([kind, condition]) => Prisma.sql`WHEN ${kind}::text THEN ${condition}`,
    )
    await tx.sql(Prisma.sql`
      DELETE FROM row_tries t
      WHERE t.next_try_at <= ${now} AND NOT (CASE t.kind ${Prisma.join(cases, ' ')} ELSE false END)`)
    await tx.sql(Prisma.sql`
      UPDATE alarms a SET resolved_at = ${now} WHERE a.kind = 'row_stuck' AND a.resolved_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM row_tries t WHERE t.kind || ' ' || t.row_id = a.subject)
        AND NOT EXISTS (SELECT 1 FROM voucher_facts f
          WHERE f.attempts > 0 AND 'voucher fact ' || f.voucher_id = a.subject)`)
  })
