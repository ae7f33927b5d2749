import type { Role } from '../platform/api/permissions.ts'
import type { AnyContext } from '../platform/auth/context.ts'
import { mailboxesOf } from '../platform/auth/person.ts'
import { type Locale, localeOf } from '../core/locales.ts'

/** Somebody who is mailed, and the language that they read: their own, else the organization's. */
export type Reader = { email: string; locale: Locale }

/** The members of an organization who have joined with one of these roles, and its name for their mails. */
export async function readersOf(
  { db }: AnyContext,
  organizationId: string,
  roles: Role[],
): Promise<{ organizationName: string; readers: Reader[] }> {
  const organization = await db.organization.findFirst({
    where: { id: organizationId },
    select: { name: true, locale: true },
  })
  const members = await db.member.findMany({
    where: { organizationId, role: { in: roles }, joinedAt: { not: null }, removedAt: null },
    orderBy: { userId: 'asc' },
    select: { userId: true },
  })
  const mailboxes = await mailboxesOf(members.map(({ userId }) => userId))
  return {
    organizationName: organization?.name ?? '',
    readers: mailboxes.map(({ email, locale }) => ({ email, locale: localeOf(locale, organization?.locale) })),
  }
}
