import { beforeEach } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { ports } from '../../lib/ports/ports.ts'
import { listDueAccounts } from '../../lib/selling/payments/list-accounts.ts'
import { takeBackup } from './organization-backup.ts'
import { type CardShop, drainJobs, processCardEvents } from './card-sales.ts'
import { installFakeChain } from './claims.ts'
import { confirmCardPayment } from './confirm-card-payment.ts'

/** Prepares each test: no account of another test is listed. */
export function setUpLostPayments(): void {
  beforeEach(async () => {
    resetClock()
    installFakeChain()
    Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
    // The accounts of other tests aren't listed again.
    await systemClient().paymentIntegration.updateMany({ data: { status: 'DISCONNECTED' } })
  })
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const visa = { payment_method: 'pm_card_visa' }

/** Made when it is used, so that it has the adapters of that moment. */
export const worker = () => systemContext('test')

/** Runs the jobs of payments and purchases. */
export const drain = () => drainJobs('process-card-event', 'settle-purchase', 'refund-payment')

export type Bought = Awaited<ReturnType<CardShop['buy']>>

/**
 * A shop whose books are put back to where they were before `since` happened. The provider's events about it are lost
 * as well.
 */
export async function restoreAfter<T>(shop: CardShop, since: () => Promise<T>): Promise<T> {
  const putBack = await takeBackup(shop.organization.id)
  const happened = await since()
  await drain()
  await putBack()
  await systemClient().sandboxEvent.deleteMany({ where: { accountId: shop.integration.accountId! } })
  return happened
}

export const buyAndPay = async (shop: CardShop, more: object = {}): Promise<Bought> => {
  const purchase = await shop.buy(more)
  await confirmCardPayment(purchase.data.client_secret, visa)
  await processCardEvents()
  return purchase
}

/** Lists until the account's books are complete: the second listing finds nothing new. */
export async function listAccounts(): Promise<void> {
  for (let at = 0; at < 2; at++) {
    moveClock(MINUTE_MS)
    await listDueAccounts(worker())
  }
}

export const isRecovering = async ({ ctx, integration }: CardShop) =>
  (await ctx.db.paymentIntegration.findFirstOrThrow({ where: { id: integration.id } })).recoveringSince !== null

export const openAlarms = async ({ ctx }: CardShop) =>
  (await ctx.db.alarm.findMany({ where: { resolvedAt: null }, orderBy: { kind: 'asc' } })).map(({ kind }) => kind)

export const lostOf = ({ ctx }: CardShop) => ctx.db.lostPayment.findMany({ orderBy: { createdAt: 'asc' } })
export const sandboxOf = ({ providerId }: Bought) =>
  systemClient().sandboxPaymentIntent.findUniqueOrThrow({
    where: { id: providerId },
    include: { refunds: { orderBy: { createdAt: 'asc' } } },
  })

export const refundAtDashboard = async (
  { integration }: CardShop,
  { providerId }: Bought,
  amountMinor: bigint | null,
) =>
  ports().cards.known[0]!.refunds.create(newId(), {
    accountId: integration.accountId!,
    paymentId: providerId,
    reference: newId(),
    withFee: false,
    amountMinor,
  })
