import type { Role } from '../platform/api/permissions.ts'
import type { Context } from '../platform/auth/context.ts'
import { localesOf, personOf } from '../platform/auth/person.ts'
import { createSignInLink } from '../platform/auth/sign-in.ts'
import { DAY } from '../core/clock.ts'
import { localeOf } from '../core/locales.ts'
import { writeMail } from '../messaging/outbox/write-mail.ts'
import { memberWords } from '../messaging/templates/mail-words.ts'

const INVITATION_DAYS = 7

/**
 * A link that signs this person in once and opens this organization. Created before the transaction: without its mail
 * nobody knows it.
 */
export const createInvitationLink = (ctx: Context, email: string): Promise<string> =>
  createSignInLink(email, { lifetimeSeconds: INVITATION_DAYS * DAY, organizationId: ctx.organizationId })

/**
 * Writes the invitation's mail, in the transaction that invites: in the language that the invited person chose, else in
 * the organization's.
 */
export async function mailInvitation(
  tx: Context,
  { to, role, link }: { to: string; role: Role; link: string },
): Promise<void> {
  const organization = await tx.db.organization.findFirstOrThrow({
    where: { id: tx.organizationId },
    select: { name: true, locale: true },
  })
  const { name } = organization
  const person = await personOf(tx)
  const locale = localeOf((await localesOf(to)).chosen, organization.locale)
  const variables = {
    organization_name: name,
    inviter: person?.name ?? person?.email ?? name,
    role: memberWords(locale).roles[role],
    sign_in_url: link,
    days: String(INVITATION_DAYS),
  }
  await writeMail(tx, { templateType: 'MEMBER_INVITE', to, locale, variables })
}
