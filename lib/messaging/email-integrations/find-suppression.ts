import type { Suppression } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

/** The entry that stops an organization's mail to an address, if there is one. */
export const findSuppression = (ctx: Context, email: string): Promise<Suppression | null> =>
  ctx.db.suppression.findFirst({ where: { email: email.toLowerCase() } })

/** In a person's words, for the mail that isn't sent and for whoever asked for it. */
export function suppressionReason({ reason, createdAt }: Pick<Suppression, 'reason' | 'createdAt'>): string {
  const day = createdAt.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return reason === 'BOUNCE'
    ? `Mail to this address is stopped since it bounced on ${day}.`
    : `Mail to this address is stopped since its owner called it spam on ${day}.`
}

/** Whatever begins with a mail doesn't begin when no mail may go there. `help` is what the one who asks can do. */
export async function assertNotSuppressed(
  ctx: Context,
  email: string,
  help = 'Allow it again in the email settings first.',
): Promise<void> {
  const suppression = await findSuppression(ctx, email)
  if (suppression) throw new AppError('address_suppressed', `${suppressionReason(suppression)} ${help}`)
}
