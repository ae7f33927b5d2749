import type { IntegrationStatus, PaymentIntegration } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { type Answer, askOutside } from '../../db/ask-outside.ts'
import { type CardAccount, CardAccountLost } from '../../ports/cards/cards.ts'
import { notFound } from '../../core/errors.ts'
import { cardsOf } from './card-gateway.ts'
import { disconnectIntegration } from './disconnect-integration.ts'

/**
 * Reads an account's state from the provider and records it. An account that we may not read any more is disconnected.
 */
export async function readIntegration(ctx: Context, id: string): Promise<PaymentIntegration> {
  const row = await ctx.db.paymentIntegration.findFirst({ where: { id } })
  if (!row) throw notFound()
  if (!row.accountId || row.status === 'DISCONNECTED') return row
  const { accountId } = row
  return askOutside(
    ctx,
    { table: 'payment_integrations', id },
    () => cardsOf(ctx, row).accounts.read(accountId).catch(asLost),
    (answer) => recordAccount(ctx, answer),
  )
}

function asLost(error: unknown): null {
  if (error instanceof CardAccountLost) return null
  throw error
}

/** Records an account's state. null: we may not read it any more. */
export const recordAccount = (
  ctx: Context,
  answer: Answer<'payment_integrations', CardAccount | null>,
): Promise<PaymentIntegration> =>
  inTransaction(ctx, async (tx) => {
    const account = await answer.take(tx)
    const { id } = answer
    const before = await tx.db.paymentIntegration.findFirst({ where: { id } })
    if (!before) throw notFound()
    if (before.status === 'DISCONNECTED') return before
    if (!account)
      return disconnectIntegration(tx, id, 'The card provider says that the account is not connected to us.')
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
