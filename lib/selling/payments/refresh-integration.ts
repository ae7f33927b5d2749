import type { Output } from '../../platform/api/endpoint.ts'
import type { refreshPaymentIntegration as endpoint } from '../../platform/api/payments.ts'
import { type Context, withoutIdempotentResult } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { cardsOf, withCallerErrors } from './card-gateway.ts'
import { returnUrls } from './create-integration.ts'
import { readIntegration } from './read-integration.ts'
import { paymentIntegrationOf } from './show-integration.ts'

/** Reads the account's state; with where its owner continues, while the provider waits for answers. */
export async function refreshIntegration(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const before = await ctx.db.paymentIntegration.findFirst({ where: { id } })
  if (!before) throw notFound()
  const row = await withCallerErrors(() => readIntegration(withoutIdempotentResult(ctx), id))
  const { accountId } = row
  const waits = accountId !== null && (row.status === 'PENDING' || row.status === 'RESTRICTED')
  const onboardingUrl = waits
    ? await withCallerErrors(() => cardsOf(ctx, row).accounts.onboardingUrl(accountId, returnUrls(ctx, row)))
    : null
  return { ...paymentIntegrationOf(row), onboarding_url: onboardingUrl }
}
