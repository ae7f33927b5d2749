import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'

const SUPPRESSION = columns('s', 'Suppression', ['id', 'organizationId', 'email', 'reason', 'detail', 'createdAt'])
type Suppression = RowOf<typeof SUPPRESSION>

/** The entries that stop an organization's mail ($1) to any of these addresses in lower case ($2). */
export const SUPPRESSIONS: Statement = {
  name: 'suppressions_of_addresses',
  text: `SELECT ${SUPPRESSION} FROM suppressions s
    WHERE organization_id = $1::uuid AND email = ANY($2::text[])`,
}

/** The entries that stop an organization's mail to any of these addresses, by address. */
export async function findSuppressions(ctx: Context, emails: readonly string[]): Promise<Map<string, Suppression>> {
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
  const rows = await ctx.rows<Suppression>(SUPPRESSIONS, ctx.organizationId, wanted)
  return new Map(rows.map((row) => [row.email, row]))
}

/** The entry that stops an organization's mail to an address, if there is one. */
const findSuppression = async (ctx: Context, email: string): Promise<Suppression | null> =>
  (await findSuppressions(ctx, [email])).get(email.toLowerCase()) ?? null

export type StoppedMail = Pick<Suppression, 'reason' | 'createdAt'>

/** Why mail to the address is stopped, as a sentence for the failed mail's row and for error messages. */
export function suppressionReason({ reason, createdAt }: StoppedMail): string {
  const day = createdAt.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return reason === 'BOUNCE'
    ? `Mail to this address is stopped since it bounced on ${day}.`
    : `Mail to this address is stopped since its owner called it spam on ${day}.`
}

/** Throws `address_suppressed` when mail to the address is stopped. `help` tells the caller what to do about it. */
export async function assertNotSuppressed(ctx: Context, email: string, help?: string): Promise<void> {
  const suppression = await findSuppression(ctx, email)
  if (suppression) throw addressSuppressed(suppression, help)
}

/** The error for what would mail an address to which mail is stopped. */
export const addressSuppressed = (suppression: Suppression, help = 'Allow it again in the email settings first.') =>
  new AppError('address_suppressed', `${suppressionReason(suppression)} ${help}`)
