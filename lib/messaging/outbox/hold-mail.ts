import { type OutboxMessage, Prisma } from '../../../generated/prisma/client.ts'
import { type AnyContext, type Context, inTransaction } from '../../platform/auth/context.ts'
import { isSuspended, isSuspendedUntilCommit } from '../../platform/auth/suspended.ts'
import type { TemplateType } from '../templates/mail-variables.ts'

/** Mails that ask somebody to take what may be suspended. A PIN isn't kept: it runs out in minutes. */
const HELD: ReadonlySet<string> = new Set(['REDEEM_NFT', 'CLAIM_REMINDER', 'CLAIM_PINCODE'] satisfies TemplateType[])

/** Keeps a mail about a claim back while the claim is suspended. Returns whether it did. */
export async function holdIfSuspended(
  ctx: AnyContext,
  { id, claimId, templateType }: Pick<OutboxMessage, 'id' | 'claimId' | 'templateType'>,
): Promise<boolean> {
  if (claimId === null || !HELD.has(templateType)) return false
  const claim = await ctx.db.emailClaim.findFirst({
    where: { id: claimId },
    select: { organizationId: true, collectionId: true },
  })
  if (!claim || !(await isSuspended(ctx, claim))) return false
  const isPin = templateType === ('CLAIM_PINCODE' satisfies TemplateType)
  return inTransaction(ctx, async (tx) => {
    // Nothing releases a mail that is held once the suspension is over.
    if (!(await isSuspendedUntilCommit(tx, claim))) return false
    await tx.db.outboxMessage.updateMany({
      where: { id, state: 'PENDING' },
      data: isPin ? { state: 'DISCARDED', variables: null } : { state: 'HELD' },
    })
    return true
  })
}

/** Sends what was held, where it isn't suspended any more. Its life in the outbox begins anew. */
export async function releaseHeldMails(tx: Context): Promise<void> {
  const now = Prisma.sql`${tx.now().toISOString()}::timestamptz`
  await tx.sql(Prisma.sql`
    UPDATE outbox_messages m SET state = 'PENDING', created_at = ${now}, first_tried_at = NULL, next_at = ${now}
    FROM email_claims e WHERE e.id = m.claim_id AND m.state = 'HELD'
      AND NOT is_suspended(e.organization_id, e.collection_id)`)
}
