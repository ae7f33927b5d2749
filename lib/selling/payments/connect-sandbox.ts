import type { PaymentIntegration } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { enableAccount } from '../../ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../ports/sandbox-cards/store.ts'
import { createIntegration } from './create-integration.ts'
import { readIntegration } from './read-integration.ts'

/**
 * Connects an ACTIVE account at the built-in provider without anybody filling in its pages, for demo data and tests. An
 * existing one stays; null where Stripe's test keys are set.
 */
export async function connectSandbox(ctx: Context): Promise<PaymentIntegration | null> {
  const live = await ctx.db.paymentIntegration.findFirst({ where: { mode: 'TEST', status: { not: 'DISCONNECTED' } } })
  if (live?.status === 'ACTIVE') return live
  if (live ? live.adapter !== 'SANDBOX' : ctx.ports.cards.inUse.TEST?.adapter !== 'SANDBOX') return null
  const { id, account_id: accountId } = await createIntegration(ctx, { mode: 'TEST' })
  if (accountId) await enableAccount(openSandboxStore(), accountId)
  return readIntegration(ctx, id)
}
