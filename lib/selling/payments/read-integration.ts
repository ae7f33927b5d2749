import type { IntegrationStatus, PaymentIntegration } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { type CardAccount, CardAccountLost } from '../../ports/cards/cards.ts'
import { notFound } from '../../core/errors.ts'
import { cardsOf } from './card-gateway.ts'
import { disconnectIntegration } from './disconnect-integration.ts'

/** Reads an account's state from the provider and records it. An account that we may not read any more is disconnected. */
export async function readIntegration(ctx: Context, id: string): Promise<PaymentIntegration> {
  const row = await ctx.db.paymentIntegration.findFirst({ where: { id } })
  if (!row) throw notFound()
  if (!row.accountId || row.status === 'DISCONNECTED') return row
  try {
    return await recordAccount(ctx, id, await cardsOf(ctx, row).accounts.read(row.accountId))
  } catch (error) {
    if (!(error instanceof CardAccountLost)) throw error
    return disconnectIntegration(ctx, id, 'The card provider says that the account is not connected to us.')
  }
}

/** Records an account's state. */
export const recordAccount = (ctx: Context, id: string, account: CardAccount): Promise<PaymentIntegration> =>
  inTransaction(ctx, async (tx) => {
    const before = await tx.db.paymentIntegration.findFirst({ where: { id } })
    if (!before) throw notFound()
    if (before.status === 'DISCONNECTED') return before
    const status = statusOf(account, before.status)
    await tx.db.paymentIntegration.updateMany({
      where: { id, status: { not: 'DISCONNECTED' } },
      data: {
        accountId: account.id,
        status,
        chargesEnabled: account.chargesEnabled,
        requirements: account.requirements,
        refreshedAt: tx.now(),
      },
    })
    if (status === 'ACTIVE') await resolveLost(tx, before.mode)
    if (status !== before.status)
      await recordAudit(tx, {
        action: 'payment_integration.changed',
        subject: { type: 'payment_integration', id },
        before: { status: before.status },
        after: { status },
      })
    return tx.db.paymentIntegration.findFirstOrThrow({ where: { id } })
  })

/** Another account takes the place of the lost ones, so the alarms about those are over. */
async function resolveLost(tx: Context, mode: PaymentIntegration['mode']): Promise<void> {
  const lost = await tx.db.paymentIntegration.findMany({
    where: { mode, status: 'DISCONNECTED' },
    select: { id: true },
  })
  for (const { id } of lost) await resolveAlarm(tx, 'card_account_lost', id)
}

/** An account that could take payments before, and can't now, is RESTRICTED; a new one is PENDING. */
const statusOf = (account: Pick<CardAccount, 'chargesEnabled'>, before: IntegrationStatus): IntegrationStatus =>
  account.chargesEnabled ? 'ACTIVE' : before === 'PENDING' ? 'PENDING' : 'RESTRICTED'
