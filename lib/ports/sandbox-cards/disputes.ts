import type { Books } from './books.ts'
import { invalid, missing } from './failure.ts'
import { noteEvent } from './events.ts'
import { disputeObject } from './objects.ts'
import { lockIntent, readIntent, readIntentOf } from './payment-intents.ts'

/** Buyers with the disputing card complain to their bank. */
export async function openDisputes(books: Books): Promise<void> {
  const due = await books.db.sandboxPaymentIntent.findMany({
    where: { disputesAt: { lte: books.now() } },
    take: 100,
    select: { id: true },
  })
  for (const { id } of due) await openDispute(books, id)
}

export const openDispute = (books: Books, id: string): Promise<void> =>
  books.transaction(async (tx) => {
    const row = await lockIntent(tx, id)
    if (row.disputed || row.status !== 'succeeded') return
    await tx.db.sandboxPaymentIntent.updateMany({
      where: { id },
      data: { disputed: true, disputesAt: null, disputeStatus: 'needs_response' },
    })
    await noteEvent(tx, row.accountId, 'charge.dispute.created', disputeObject(await readIntent(tx, id)))
  })

export async function listDisputes(books: Books, accountId: string, paymentId: string): Promise<object> {
  const row = await readIntentOf(books, accountId, paymentId)
  return { object: 'list', data: row.disputed ? [disputeObject(row)] : [], has_more: false, url: '/v1/disputes' }
}

/** What the bank decides, as Stripe's own test mode has it: by the words of the evidence. */
const VERDICTS: Readonly<Record<string, 'won' | 'lost'>> = { winning_evidence: 'won', losing_evidence: 'lost' }

/** The account's owner answers a dispute. */
export const answerDispute = (books: Books, accountId: string, id: string, form: URLSearchParams): Promise<object> =>
  books.transaction(async (tx) => {
    const paymentId = id.replace(/^dp_/, 'pi_')
    await readIntentOf(tx, accountId, paymentId)
    const row = await lockIntent(tx, paymentId)
    if (!row.disputed) throw missing('dispute', id)
    if (row.disputeStatus !== 'needs_response') throw invalid('This dispute is already closed.')
    const verdict = VERDICTS[form.get('evidence[uncategorized_text]') ?? '']
    if (!verdict) return disputeObject(row)
    await tx.db.sandboxPaymentIntent.updateMany({ where: { id: row.id }, data: { disputeStatus: verdict } })
    const closed = disputeObject(await readIntent(tx, row.id))
    await noteEvent(tx, accountId, 'charge.dispute.closed', closed)
    return closed
  })
