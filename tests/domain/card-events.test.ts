import { beforeEach, describe, expect, test } from 'vitest'
import { POST as receive } from '../../app/webhooks/cards/[adapter]/route.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { eventObject, signatureOf } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { sandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'
import { drainJobs, makeCardShop, processCardEvents, postToCardWebhook } from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { installFakeChain } from '../support/claims.ts'

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

const visa = { payment_method: 'pm_card_visa' }

describe('card events', () => {
  const eventOf = async (providerId: string) => {
    const events = await systemClient().sandboxEvent.findMany({ where: { type: 'payment_intent.succeeded' } })
    return eventObject(events.find(({ payload }) => (payload as { id: string }).id === providerId)!)
  }
  const send = (
    event: object,
    { at = now(), adapter = 'sandbox', secret = sandboxKeys().webhookSecret, signed = event } = {},
  ) => {
    const body = JSON.stringify(event)
    return receive(
      new Request(`http://localhost:3000/webhooks/cards/${adapter}`, {
        method: 'POST',
        body,
        headers: { 'stripe-signature': signatureOf(JSON.stringify(signed), at, secret) },
      }),
      { params: Promise.resolve({ adapter }) },
    )
  }
  const payWithoutEvent = async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    return { shop, purchase, event: await eventOf(purchase.providerId) }
  }

  test('delivered ten times at once count once', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(event)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await systemClient().cardEvent.count({ where: { id: event.id } })).toBe(1)
    await drainJobs('process-card-event', 'settle-purchase')
    await processCardEvents()
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
    expect(await shop.ctx.db.event.count({ where: { type: 'purchase.confirmed', key: purchase.id } })).toBe(1)
  })

  test('delivered out of order lead to the same state', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, { payment_method: 'pm_card_chargeDeclined' })
    await confirmCardPayment(purchase.data.client_secret, visa)
    const events = (
      await systemClient().sandboxEvent.findMany({
        where: { accountId: shop.integration.accountId! },
        orderBy: { createdAt: 'desc' },
      })
    ).map(eventObject)
    for (const event of events.reverse()) expect((await send(event)).status).toBe(200)
    await drainJobs('process-card-event', 'settle-purchase')
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
  })

  test('too old, from the future, wrongly signed, unsigned or for an unknown adapter are refused and not stored', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    const minutes = (count: number) => new Date(now().getTime() + count * 60_000)
    expect((await send(event, { at: minutes(-6) })).status).toBe(400)
    expect((await send(event, { at: minutes(6) })).status).toBe(400)
    expect((await send(event, { adapter: 'nobody' })).status).toBe(404)
    expect((await send(event, { secret: `${sandboxKeys().webhookSecret}x` })).status).toBe(400)
    expect((await send(event, { signed: { ...event, id: 'evt_other' } })).status).toBe(400)
    const unsigned = await receive(
      new Request('http://localhost:3000/webhooks/cards/sandbox', { method: 'POST', body: JSON.stringify(event) }),
      { params: Promise.resolve({ adapter: 'sandbox' }) },
    )
    expect(unsigned.status).toBe(400)
    expect(await systemClient().cardEvent.count({ where: { id: event.id } })).toBe(0)
    expect((await shop.stateOf(purchase))[0]).toBe('PENDING')
  })

  test('of another account, of live mode, or about an unknown payment change nothing', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    const other = await makeCardShop()
    const foreign = { ...event, id: `evt_${newId()}`, account: other.integration.accountId }
    const live = { ...event, id: `evt_${newId()}`, livemode: true }
    const unknownAccount = { ...event, id: `evt_${newId()}`, account: 'acct_unknown' }
    const unknownPayment = {
      ...event,
      id: `evt_${newId()}`,
      data: { object: { id: 'pi_unknown', object: 'payment_intent' } },
    }
    for (const forged of [foreign, live, unknownAccount, unknownPayment]) {
      await send(forged)
      await drainJobs('process-card-event')
      const stored = await systemClient().cardEvent.findUniqueOrThrow({ where: { id: forged.id } })
      expect([stored.processedAt !== null, stored.failure]).toEqual([true, expect.any(String)])
    }
    expect((await shop.stateOf(purchase))[0]).toBe('PENDING')
  })

  test.each([
    ['less than was requested', { amountMinor: 2000n }],
    ['more than was requested', { amountMinor: 1998n }],
    ['the amount in another currency', { currency: 'EUR' }],
  ])('about %s confirm nothing and raise an alarm', async (_, ordered) => {
    const { shop, purchase, event } = await payWithoutEvent()
    await shop.ctx.db.payment.updateMany({ where: { id: purchase.paymentId }, data: ordered })
    await send(event)
    await drainJobs('process-card-event')
    expect((await shop.stateOf(purchase))[0]).toBe('PENDING')
    const openAlarms = () =>
      shop.ctx.db.alarm.count({ where: { kind: 'payment_mismatch', subject: purchase.paymentId, resolvedAt: null } })
    expect(await openAlarms()).toBe(1)
    await shop.ctx.db.payment.updateMany({
      where: { id: purchase.paymentId },
      data: { amountMinor: 1999n, currency: 'USD' },
    })
    moveClock(21_000)
    await reconcileOpenPayments(shop.worker)
    expect([(await shop.stateOf(purchase))[0], await openAlarms()]).toEqual(['CONFIRMED', 0])
  })

  test('that arrive before the provider’s answer was recorded find their payment by its reference', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    await shop.ctx.db.payment.updateMany({
      where: { id: purchase.paymentId },
      data: { state: 'CREATING', providerId: null, clientSecret: null },
    })
    await send(event)
    await drainJobs('process-card-event', 'settle-purchase')
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
  })

  test('stored but not processed are processed by the reconciliation', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    await send(event)
    await systemClient().job.deleteMany({ where: { name: 'process-card-event' } })
    moveClock(21_000)
    await reconcileOpenPayments(systemContext('test'))
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
    expect((await systemClient().cardEvent.findUniqueOrThrow({ where: { id: event.id } })).processedAt).not.toBeNull()
  })

  test('are sent again by the built-in provider until they are accepted', async () => {
    const { shop, purchase } = await payWithoutEvent()
    await processCardEvents(async () => ({ ok: false }))
    expect((await shop.stateOf(purchase))[0]).toBe('PENDING')
    moveClock(2_000)
    await processCardEvents(postToCardWebhook)
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
  })
})
