import type { SandboxStore } from './store.ts'
import { invalidRequest, notFoundFailure } from './failure.ts'
import { recordSandboxEvent } from './events.ts'
import { disputeObject } from './objects.ts'
import { lockIntent, getIntent, getIntentOf } from './payment-intents.ts'

/** Opens the disputes that are due for payments with the disputing test card. */
export async function openDisputes(store: SandboxStore): Promise<void> {
  const due = await store.db.sandboxPaymentIntent.findMany({
    where: { disputesAt: { lte: store.now() } },
    take: 100,
    select: { id: true },
  })
  for (const { id } of due) await openDispute(store, id)
}

export const openDispute = (store: SandboxStore, id: string): Promise<void> =>
  store.transaction(async (tx) => {
    const row = await lockIntent(tx, id)
    if (row.disputed || row.status !== 'succeeded') return
    await tx.db.sandboxPaymentIntent.updateMany({
      where: { id },
      data: { disputed: true, disputesAt: null, disputeStatus: 'needs_response' },
    })
    await recordSandboxEvent(tx, row.accountId, 'charge.dispute.created', disputeObject(await getIntent(tx, id)))
  })

export async function listDisputes(store: SandboxStore, accountId: string, paymentId: string): Promise<object> {
  const row = await getIntentOf(store, accountId, paymentId)
  return { object: 'list', data: row.disputed ? [disputeObject(row)] : [], has_more: false, url: '/v1/disputes' }
}

/** The dispute's outcome by the text of the evidence, as in Stripe's test mode. */
const VERDICTS: Readonly<Record<string, 'won' | 'lost'>> = { winning_evidence: 'won', losing_evidence: 'lost' }

/** Submits the account's evidence to a dispute. Other text than Stripe's two test values leaves it open. */
export const answerDispute = (
  store: SandboxStore,
  accountId: string,
  id: string,
  form: URLSearchParams,
): Promise<object> =>
  store.transaction(async (tx) => {
    const paymentId = id.replace(/^dp_/, 'pi_')
    await getIntentOf(tx, accountId, paymentId)
    const row = await lockIntent(tx, paymentId)
    if (!row.disputed) throw notFoundFailure('dispute', id)
    if (row.disputeStatus !== 'needs_response') throw invalidRequest('This dispute is already closed.')
    const verdict = VERDICTS[form.get('evidence[uncategorized_text]') ?? '']
    if (!verdict) return disputeObject(row)
    await tx.db.sandboxPaymentIntent.updateMany({ where: { id: row.id }, data: { disputeStatus: verdict } })
    const closed = disputeObject(await getIntent(tx, row.id))
    await recordSandboxEvent(tx, accountId, 'charge.dispute.closed', closed)
    return closed
  })
