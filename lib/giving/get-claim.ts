import type { Output } from '../platform/api/endpoint.ts'
import type { getEmailClaim as endpoint } from '../platform/api/email-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { listClaimMails } from '../messaging/outbox/list-mails.ts'
import { readClaim } from './read-claim.ts'
import { emailClaimOf } from './show-claim.ts'

/** A claim with the mails about it. */
export async function getClaim(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const claim = await readClaim(ctx, id)
  return { ...emailClaimOf(ctx, claim), mails: await listClaimMails(ctx, id) }
}
