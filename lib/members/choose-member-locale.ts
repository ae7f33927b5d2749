import { type Context, inJoinedOrganizations, inTransaction } from '../platform/auth/context.ts'
import { personContext } from '../platform/auth/narrow-contexts.ts'
import { signedIn } from '../platform/auth/sessions.ts'
import { localeGiven } from '../core/locale-given.ts'
import { recordAudit } from '../records/audit/record-audit.ts'

/**
 * Records the language that the person signed in chose, for their mails in all organizations; null: none any more.
 * Throws `forbidden` for an API key, and `invalid_request` for a language that we don't speak.
 */
export async function chooseMemberLocale(ctx: Context, given: string | null): Promise<undefined> {
  const { id, userId } = signedIn(ctx)
  const locale = localeGiven(given)
  await inTransaction(personContext(ctx), async (tx) => {
    const where = { id: userId }
    const before = await tx.db.user.findUniqueOrThrow({ where, select: { locale: true } })
    if (before.locale === locale) return
    await tx.db.user.update({ where, data: { locale } })
    const subject = { type: 'member', id } as const
    await inJoinedOrganizations(
      tx,
      (own) => recordAudit(own, { action: 'member.locale_chosen', subject, before, after: { locale } }),
      ctx.organizationId,
    )
  })
  return undefined
}
