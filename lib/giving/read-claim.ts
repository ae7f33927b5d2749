import { type EmailClaim, Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'

/** A claim with all that its views show. */
export const inFull = {
  include: {
    item: { include: { collection: true } },
    campaign: true,
    mintRequests: { orderBy: { id: 'desc' }, take: 1, include: { transaction: true } },
    vouchers: { orderBy: { id: 'desc' }, take: 1 },
  },
} as const satisfies Prisma.EmailClaimDefaultArgs

export type ClaimRow = Prisma.EmailClaimGetPayload<typeof inFull>

export async function readClaim(ctx: Context, id: string): Promise<ClaimRow> {
  const row = await ctx.db.emailClaim.findFirst({ where: { id }, ...inFull })
  if (!row) throw notFound()
  return row
}

/** Takes the claim for this transaction: whoever else changes it waits. Always the first thing to be locked. */
export async function lockClaim(tx: Context, id: string): Promise<EmailClaim> {
  await tx.sql(Prisma.sql`SELECT 1 FROM email_claims WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const row = await tx.db.emailClaim.findFirst({ where: { id } })
  if (!row) throw notFound()
  return row
}

/** Takes many at once, always in the same order, and answers them with all that their views show. */
export async function lockAllInFull(tx: Context, ids: readonly string[]): Promise<ClaimRow[]> {
  await tx.sql(Prisma.sql`SELECT 1 FROM email_claims WHERE id = ANY(${[...ids]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`)
  return tx.db.emailClaim.findMany({ where: { id: { in: [...ids] } }, ...inFull, orderBy: { id: 'asc' } })
}

/** Takes one, and answers it with all that its views show. */
export async function lockInFull(tx: Context, id: string): Promise<ClaimRow> {
  await lockClaim(tx, id)
  return readClaim(tx, id)
}
