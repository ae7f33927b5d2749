import type { Output } from '../platform/api/endpoint.ts'
import type { getEmailClaim as endpoint } from '../platform/api/email-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import { listClaimMails } from '../messaging/outbox/list-mails.ts'
import { findClaims } from './find-claims.ts'
import { emailClaimOf } from './show-claim.ts'

/** A claim with the mails about it. */
export async function getClaim(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const [[claim], mails] = await Promise.all([findClaims(ctx, [id]), listClaimMails(ctx, id)])
  if (!claim) throw notFound()
  return { ...emailClaimOf(ctx, claim), mails }
}
