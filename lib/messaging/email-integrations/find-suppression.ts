import type { Suppression } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

/** The entry that stops an organization's mail to an address, if there is one. */
export const findSuppression = (ctx: Context, email: string): Promise<Suppression | null> =>
  ctx.db.suppression.findFirst({ where: { email: email.toLowerCase() } })

/** The entries that stop an organization's mail to any of these addresses, by address. */
export async function findSuppressions(ctx: Context, emails: readonly string[]): Promise<Map<string, Suppression>> {
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
  const rows = await ctx.db.suppression.findMany({ where: { email: { in: wanted } } })
  return new Map(rows.map((row) => [row.email, row]))
}

/** Why mail to the address is stopped, as a sentence for the failed mail's row and for error messages. */
export function suppressionReason({ reason, createdAt }: Pick<Suppression, 'reason' | 'createdAt'>): string {
  const day = createdAt.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return reason === 'BOUNCE'
    ? `Mail to this address is stopped since it bounced on ${day}.`
    : `Mail to this address is stopped since its owner called it spam on ${day}.`
}

/** Throws `address_suppressed` when mail to the address is stopped. `help` tells the caller what to do about it. */
export const assertNotSuppressed = (ctx: Context, email: string, help?: string): Promise<void> =>
  assertNoneSuppressed(ctx, [email], help)

/** The same for many addresses. */
export async function assertNoneSuppressed(
  ctx: Context,
  emails: readonly string[],
  help = 'Allow it again in the email settings first.',
): Promise<void> {
  const [suppression] = (await findSuppressions(ctx, emails)).values()
  if (suppression) throw new AppError('address_suppressed', `${suppressionReason(suppression)} ${help}`)
}
