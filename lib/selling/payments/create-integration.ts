import type { PaymentIntegration } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createPaymentIntegration as endpoint } from '../../platform/api/payments.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, withoutIdempotentResult, inTransaction, isTestKey } from '../../platform/auth/context.ts'
import { modeRefused } from '../../platform/auth/modes.ts'
import { crashPoint } from '../../core/crash.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { askOutside } from '../../db/ask-outside.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { cardsFor, cardsOf, withCallerErrors } from './card-gateway.ts'
import { recordAccount } from './read-integration.ts'
import { paymentIntegrationOf } from './show-integration.ts'

/**
 * Connects an account of the organization at the card provider, and returns where its owner continues. The account is
 * opened once: our row's id is the idempotency key, and a later call continues with the waiting row.
 */
export async function createIntegration(
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const mode = body.mode ?? 'TEST'
  if (mode === 'LIVE' && isTestKey(ctx.actor)) throw modeRefused()
  const waiting = await waitingIntegration(withoutIdempotentResult(ctx), mode)
  const cards = cardsOf(ctx, waiting)
  let onboardingUrl: string | null
  return askOutside(
    ctx,
    { table: 'payment_integrations', id: waiting.id },
    async () => {
      const account = await withCallerErrors(async () =>
        waiting.accountId
          ? cards.accounts.read(waiting.accountId)
          : cards.accounts.open(waiting.id, await profileOf(ctx, waiting)),
      )
      crashPoint('account_opened')
      onboardingUrl = account.chargesEnabled
        ? null
        : await withCallerErrors(() => cards.accounts.onboardingUrl(account.id, returnUrls(ctx, waiting)))
      return account
    },
    (answer) =>
      inTransaction(ctx, async (tx) => ({
        ...paymentIntegrationOf(await recordAccount(tx, answer)),
        onboarding_url: onboardingUrl,
      })),
  )
}

/** The row that waits for its account; inserted if there is none. */
async function waitingIntegration(ctx: Context, mode: 'TEST' | 'LIVE'): Promise<PaymentIntegration> {
  const live = await ctx.db.paymentIntegration.findFirst({ where: { mode, status: { not: 'DISCONNECTED' } } })
  if (live && live.status !== 'PENDING')
    throw new AppError(
      'payment_integration_exists',
      `A ${mode} card account is connected already. Disconnect it first.`,
    )
  if (live) return live
  const cards = cardsFor(ctx, mode)
  if (!cards)
    throw new AppError(
      'provider_not_configured',
      `This installation has no card provider for ${mode}: its operator sets STRIPE_SECRET_KEY to a ` +
        `${mode.toLowerCase()} key.`,
    )
  try {
    return await inTransaction(ctx, async (tx) => {
      const row = await tx.db.paymentIntegration.create({
        data: {
          id: newId(),
          organizationId: tx.organizationId,
          mode,
          adapter: cards.adapter,
          requirements: [],
          createdAt: tx.now(),
        },
      })
      await recordAudit(tx, {
        action: 'payment_integration.created',
        subject: { type: 'payment_integration', id: row.id },
        after: { mode, adapter: cards.adapter },
      })
      return row
    })
  } catch (error) {
    if (isUniqueViolation(error))
      throw new AppError('conflict', 'A card account is being connected this moment. Try again.')
    throw error
  }
}

async function profileOf(ctx: Context, { id }: PaymentIntegration) {
  const { name } = await ctx.db.organization.findUniqueOrThrow({ where: { id: ctx.organizationId } })
  return { name, reference: id }
}

/** Where the provider sends the account's owner afterwards. */
export const returnUrls = ({ ports }: Pick<Context, 'ports'>, { id }: Pick<PaymentIntegration, 'id'>) => ({
  returnUrl: `${ports.addresses.origin}/dashboard/payments?returned=${id}`,
  refreshUrl: `${ports.addresses.origin}/dashboard/payments?renew=${id}`,
})
