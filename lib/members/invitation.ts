import { ROLE_NAMES } from '../platform/api/permissions.ts'
import type { Role } from '../platform/api/permissions.ts'
import type { Context } from '../platform/auth/context.ts'
import { personOf } from '../platform/auth/person.ts'
import { createSignInLink } from '../platform/auth/sign-in.ts'
import { DAY } from '../core/clock.ts'
import { writeMail } from '../messaging/outbox/write-mail.ts'

const INVITATION_DAYS = 7

/** A link that signs this person in once and opens this organization. Created before the transaction: without its mail nobody knows it. */
export const createInvitationLink = (ctx: Context, email: string): Promise<string> =>
  createSignInLink(email, { lifetimeSeconds: INVITATION_DAYS * DAY, organizationId: ctx.organizationId })

/** Writes the invitation's mail, in the transaction that invites. */
export async function mailInvitation(
  tx: Context,
  { to, role, link }: { to: string; role: Role; link: string },
): Promise<void> {
  const { name } = await tx.db.organization.findFirstOrThrow({
    where: { id: tx.organizationId },
    select: { name: true },
  })
  const person = await personOf(tx)
  const variables = {
    organization_name: name,
    inviter: person?.name ?? person?.email ?? name,
    role: ROLE_NAMES[role].toLowerCase(),
    sign_in_url: link,
    days: String(INVITATION_DAYS),
  }
  await writeMail(tx, { templateType: 'MEMBER_INVITE', to, variables })
}
