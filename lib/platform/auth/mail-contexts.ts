import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'
import { systemClient } from '../../db/client.ts'
import { type Caller, contextOf } from './authenticate.ts'
import type { Context } from './context.ts'

/**
 * For a mail provider's event about an organization's own mail: the integration in the address says which one. Its
 * signature is what is trusted.
 */
export async function mailWebhookContext(integrationId: string, caller: Caller): Promise<Context> {
  const row = isUuid(integrationId)
    ? await systemClient().emailIntegration.findUnique({
        where: { id: integrationId },
        select: { organizationId: true, provider: true },
      })
    : null
  if (row?.provider !== 'MAIL_API') throw notFound()
  return contextOf(caller, row.organizationId, { type: 'system' })
}

/**
 * For a link that unsubscribes: the organization of the claim that it names. Throws not found unless `isProof` of that
 * claim.
 */
export async function optOutContext(
  claimId: string | null,
  isProof: (claim: { claimId: string; email: string }) => boolean,
  caller: Caller,
): Promise<{ ctx: Context; email: string; campaignId: string | null }> {
  const row =
    claimId === null
      ? null
      : await systemClient().emailClaim.findUnique({
          where: { id: claimId },
          select: { organizationId: true, email: true, campaignId: true },
        })
  if (!row || claimId === null || !isProof({ claimId, email: row.email })) throw notFound()
  return {
    ctx: contextOf(caller, row.organizationId, { type: 'system' }),
    email: row.email,
    campaignId: row.campaignId,
  }
}
