import type { SandboxRefund } from '../../../generated/prisma/client.ts'
import { secondsFrom } from '../../core/clock.ts'
import type { SandboxStore } from './store.ts'
import { recordSandboxEvent } from './events.ts'
import { invalidRequest } from './failure.ts'
import { idsOfKey, sandboxId } from './keys.ts'
import { chargeIdOf, chargeObject, refundObject } from './objects.ts'
import { lockIntent, metadataOf, getIntent, getIntentOf } from './payment-intents.ts'
import { cardByName } from './test-cards.ts'

const PENDING_SECONDS = 3

/** Refunds a payment: all that is not refunded yet, or the given amount. */
export async function createRefund(
  store: SandboxStore,
  accountId: string,
  form: URLSearchParams,
  key: string | null,
): Promise<object> {
  const paymentId = form.get('payment_intent') ?? ''
  await getIntentOf(store, accountId, paymentId)
  return store.transaction(async (tx) => {
    const row = await lockIntent(tx, paymentId)
    const requestKey = key ? `${accountId}:${key}` : sandboxId('req')
    const existing = row.refunds.find((refund) => refund.requestKey === requestKey)
    if (existing) return refundObject(existing, row)
    const left = row.amountReceived - row.amountRefunded
    const amount = form.has('amount') ? BigInt(form.get('amount')!) : left
    if (row.status !== 'succeeded')
      throw invalidRequest(
        'This PaymentIntent does not have a successful charge to refund.',
        'payment_intent_unexpected_state',
      )
    if (row.disputed && row.disputeStatus !== 'won')
      throw invalidRequest(`Charge ${chargeIdOf(row)} has been charged back; cannot issue a refund.`, 'charge_disputed')
    if (left === 0n)
      throw invalidRequest(`Charge ${chargeIdOf(row)} has already been refunded.`, 'charge_already_refunded')
    if (amount < 1n || amount > left)
      throw invalidRequest(
        `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
        undefined,
        {
          param: 'amount',
        },
      )
    const later = laterOf(row.card)
    const slow = later === 'refund_slowly' || later === 'refuse_refund'
    await tx.db.sandboxRefund.create({
      data: {
        id: key ? idsOfKey('re', requestKey)[0]! : sandboxId('re'),
        paymentIntentId: row.id,
        requestKey,
        amount,
        status: slow ? 'pending' : 'succeeded',
        metadata: metadataOf(form),
        settlesAt: slow ? secondsFrom(tx.now(), PENDING_SECONDS) : null,
        createdAt: tx.now(),
      },
    })
    await tx.db.sandboxPaymentIntent.updateMany({
      where: { id: row.id },
      data: { amountRefunded: row.amountRefunded + amount },
    })
    const refunded = await getIntent(tx, row.id)
    await recordSandboxEvent(tx, accountId, 'charge.refunded', chargeObject(refunded))
    return refundObject(
      refunded.refunds.find((refund) => refund.requestKey === requestKey)!,
      refunded,
    )
  })
}

const laterOf = (name: string | null) => {
  const card = name === null ? undefined : cardByName(name)
  return card?.does === 'succeed' ? card.later : undefined
}

export async function listRefunds(store: SandboxStore, accountId: string, paymentId: string): Promise<object> {
  const row = await getIntentOf(store, accountId, paymentId)
  return {
    object: 'list',
    data: row.refunds.map((refund) => refundObject(refund, row)).reverse(),
    has_more: false,
    url: '/v1/refunds',
  }
}

/** Completes pending refunds that are due: they succeed, or fail and return the money to the account. */
export async function completeRefunds(store: SandboxStore): Promise<void> {
  const due = await store.db.sandboxRefund.findMany({
    where: { status: 'pending', settlesAt: { lte: store.now() } },
    take: 100,
  })
  for (const refund of due) await completeRefund(store, refund)
}

const completeRefund = (store: SandboxStore, { id, paymentIntentId, amount }: SandboxRefund): Promise<void> =>
  store.transaction(async (tx) => {
    const row = await lockIntent(tx, paymentIntentId)
    const succeeds = laterOf(row.card) !== 'refuse_refund'
    const { count } = await tx.db.sandboxRefund.updateMany({
      where: { id, status: 'pending' },
      data: { status: succeeds ? 'succeeded' : 'failed', settlesAt: null },
    })
    if (count === 0) return
    if (!succeeds)
      await tx.db.sandboxPaymentIntent.updateMany({
        where: { id: row.id },
        data: { amountRefunded: row.amountRefunded - amount },
      })
    const updated = await getIntent(tx, row.id)
    await recordSandboxEvent(
      tx,
      row.accountId,
      succeeds ? 'refund.updated' : 'refund.failed',
      refundObject(
        updated.refunds.find((refund) => refund.id === id)!,
        updated,
      ),
    )
  })
