import { type Payment, Prisma } from '../../../generated/prisma/client.ts'
import type { Context, SystemContext } from '../../platform/auth/context.ts'
import { CardAccountLost, CardsUnavailable } from '../../ports/cards/cards.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import {
  type AnyDueRow,
  type DueRow,
  findReady,
  type Range,
  sweep,
  sweepAny,
  type Task,
} from '../../platform/jobs/sweep.ts'
import { cancelPayment } from './cancel-payment.ts'
import { createAtProvider } from './create-at-provider.ts'
import { processCardEvent } from './process-card-event.ts'
import { readIntegration } from './read-integration.ts'
import { refundPayment } from './refund-payment.ts'
import { readLostPayment, WITH_ACCOUNT } from './read-lost-payment.ts'
import { readPayment } from './read-payment.ts'

/** How long we wait for events about a payment before asking the provider. */
const OPEN_SECONDS = 20
const BATCH = 200
const CONCURRENCY = 5
/** How far back the nightly run goes: disputes may come for months. */
const NIGHTLY_DAYS = 180
/**
 * Most refunds and disputes come within this time. A payment that is older is asked about weekly, in case the event of
 * a late one was lost.
 */
const DAILY_DAYS = 14
const WEEK = 7 * DAY
/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000'

/**
 * Asks the provider again about payments, refunds and events that are unfinished: an event was lost, a process died, or
 * the provider gave no answer. Returns how many it looked at.
 */
export async function reconcileOpenPayments(worker: SystemContext): Promise<number> {
  const before = secondsFrom(worker.now(), -OPEN_SECONDS)
  const open = await ready(worker, OPEN, (range) =>
    listPayments(
      worker,
      Prisma.sql`
      SELECT p.id::text FROM payments p JOIN purchase_intents i ON i.id = p.intent_id
      WHERE p.state IN ('CREATING', 'OPEN', 'CANCELLING') AND i.status <> 'UNRESOLVED'
        AND (p.checked_at IS NULL OR p.checked_at <= ${before.toISOString()}::timestamptz)
        AND p.created_at <= ${before.toISOString()}::timestamptz
      ORDER BY p.checked_at NULLS FIRST, p.id`,
      range,
    ),
  )
  await each(worker, OPEN, open, reconcile)
  // Whether a payment was refunded isn't decided by an account whose books are behind.
  const refunds = await ready(worker, REFUNDS, (range) =>
    listPayments(
      worker,
      Prisma.sql`
      SELECT p.id::text FROM payments p JOIN payment_integrations a ON a.id = p.integration_id
      WHERE p.state = 'REFUNDING' AND p.next_refund_at <= ${worker.now().toISOString()}::timestamptz
        AND a.recovering_since IS NULL
      ORDER BY p.next_refund_at, p.id`,
      range,
    ),
  )
  await each(worker, REFUNDS, refunds, (ctx, { id }) => refundPayment(ctx, id))
  const events = await ready(worker, EVENTS, (range) => listLostEvents(worker, before, range))
  await sweepAny(worker, EVENTS, events, ({ id }) => processCardEvent(worker, id), { ignore: isProviderAway })
  return open.length + refunds.length + events.length
}

/**
 * Reads paid payments and every account once more: refunds and disputes made at the provider, permissions taken away.
 * And asks once a day about payments of lost accounts, and each time about those that belong to no purchase.
 */
export async function reconcileEverything(worker: SystemContext): Promise<void> {
  const createdAt = { gte: secondsFrom(worker.now(), -NIGHTLY_DAYS * DAY) }
  const paid = (after: { id?: { gt: string } }, take: number) => listPaid(worker, after.id?.gt ?? NIL, take)
  await eachOfAll(worker, PAID, paid, reconcile)
  const lost = (after: { id?: object }, take: number) =>
    worker.db.lostPayment.findMany({
      where: {
        outcome: 'UNMATCHED',
        refundedAt: null,
        integration: { status: { not: 'DISCONNECTED' } },
        createdAt,
        ...after,
      },
      ...WITH_ACCOUNT,
      orderBy: { id: 'asc' },
      take,
    })
  await eachOfAll(worker, LOST, lost, readLostPayment)
  const accounts = await worker.db.paymentIntegration.findMany({
    where: { status: { not: 'DISCONNECTED' }, accountId: { not: null } },
    orderBy: { id: 'asc' },
  })
  await each(worker, ACCOUNTS, accounts, (ctx, { id }) => readIntegration(ctx, id))
}

/** Accounts whose owners may have finished onboarding, and whose event was lost. */
export async function reconcilePendingAccounts(worker: SystemContext): Promise<void> {
  const waiting = await ready(worker, ACCOUNTS, (range) =>
    worker.db.paymentIntegration.findMany({
      where: { status: 'PENDING', accountId: { not: null } },
      orderBy: [{ refreshedAt: 'asc' }, { id: 'asc' }],
      ...range,
    }),
  )
  await each(worker, ACCOUNTS, waiting, (ctx, { id }) => readIntegration(ctx, id))
}

async function reconcile(ctx: Context, payment: Payment): Promise<void> {
  // Moves this payment to the end of the queue, whatever happens next.
  await ctx.db.payment.updateMany({ where: { id: payment.id }, data: { checkedAt: ctx.now() } })
  if (payment.state === 'CREATING') return void (await createAtProvider(ctx, payment.id))
  if (payment.state === 'CANCELLING') return void (await cancelPayment(ctx, payment.id))
  if (!payment.providerId) return
  try {
    await readPayment(ctx, payment, payment.providerId)
  } catch (error) {
    if (!(error instanceof CardAccountLost)) throw error
    await readIntegration(ctx, payment.integrationId)
    if (payment.state === 'OPEN') await cancelPayment(ctx, payment.id)
  }
}

const isProviderAway = (error: unknown): boolean => error instanceof CardsUnavailable

const failure = 'A payment could not be reconciled; it is tried again.'
const OPEN: Task = { kind: 'reconcile open payments', failure }
const PAID: Task = { kind: 'reconcile paid payments', failure }
const LOST: Task = { kind: 'reconcile lost payments', failure }
const REFUNDS: Task = { kind: 'refund payments', failure: 'A payment could not be refunded; it is tried again.' }
const EVENTS: Task = { kind: 'process card events', failure: 'A card event could not be processed; it is tried again.' }
const ACCOUNTS: Task = { kind: 'read card accounts', failure: 'A card account could not be read; it is tried again.' }

const ready = <Row extends AnyDueRow>(
  worker: SystemContext,
  task: Task,
  find: (range: Range) => Promise<Row[]>,
): Promise<Row[]> => findReady(worker, task, BATCH, find)

const each = <Row extends DueRow>(
  worker: SystemContext,
  task: Task,
  rows: readonly Row[],
  work: (ctx: Context, row: Row) => Promise<unknown>,
) => sweep(worker, task, rows, work, { concurrency: CONCURRENCY, ignore: isProviderAway })

/** Does `work` for all rows that `find` finds, in the order of their ids, a batch at a time. */
async function eachOfAll<Row extends DueRow>(
  worker: SystemContext,
  task: Task,
  find: (after: { id?: { gt: string } }, take: number) => Promise<Row[]>,
  work: (ctx: Context, row: Row) => Promise<unknown>,
): Promise<void> {
  for (let after = {}; ;) {
    const rows = await find(after, BATCH)
    await each(worker, task, rows, work)
    if (rows.length < BATCH) return
    after = { id: { gt: rows.at(-1)!.id } }
  }
}

/** The paid payments to ask about again, and those of purchases whose outcome isn't known. */
function listPaid(worker: SystemContext, after: string, take: number): Promise<Payment[]> {
  const ago = (seconds: number) => Prisma.sql`${secondsFrom(worker.now(), -seconds).toISOString()}::timestamptz`
  const of = Prisma.sql`p.id > ${after}::uuid AND p.created_at >= ${ago(NIGHTLY_DAYS * DAY)}`
  const due = Prisma.sql`
    SELECT p.id::text FROM payments p
    WHERE ${of} AND p.state IN ('SUCCEEDED', 'REFUNDING', 'DISPUTED')
      AND (p.checked_at IS NULL OR p.checked_at <= ${ago(WEEK)})
    UNION
    SELECT p.id::text FROM payments p
    WHERE ${of} AND p.state IN ('SUCCEEDED', 'REFUNDING', 'DISPUTED') AND p.created_at >= ${ago(DAILY_DAYS * DAY)}
      AND p.checked_at <= ${ago(DAY)}
    UNION
    SELECT p.id::text FROM payments p
    WHERE ${of} AND p.state IN ('REFUNDING', 'DISPUTED') AND p.checked_at <= ${ago(DAY)}
    UNION
    SELECT p.id::text FROM payments p JOIN purchase_intents i ON i.id = p.intent_id
    WHERE ${of} AND p.state = 'CANCELLING' AND i.status = 'UNRESOLVED'
      AND (p.checked_at IS NULL OR p.checked_at <= ${ago(DAY)})
    ORDER BY id`
  return listPayments(worker, due, { skip: 0, take })
}

/** The payments whose ids a statement gives, in its order. */
async function listPayments(worker: SystemContext, due: Prisma.Sql, { skip, take }: Range): Promise<Payment[]> {
  const ids = await worker.sql<{ id: string }>(Prisma.sql`${due} LIMIT ${take} OFFSET ${skip}`)
  if (ids.length === 0) return []
  const rows = await worker.db.payment.findMany({ where: { id: { in: ids.map(({ id }) => id) } } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Events that no job has processed. They name no organization; their account does. */
async function listLostEvents(worker: SystemContext, before: Date, range: Range): Promise<AnyDueRow[]> {
  const events = await worker.db.cardEvent.findMany({
    where: { processedAt: null, createdAt: { lte: before } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
    ...range,
  })
  return events.map(({ id }) => ({ id, organizationId: null }))
}
