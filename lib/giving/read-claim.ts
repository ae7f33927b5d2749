import { type EmailClaim, Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'

/**
 * A claim with everything that its views show, the newest of each first. A `take` here would be a statement for each
 * claim of a list.
 */
export const inFull = {
  include: {
    item: { include: { collection: true } },
    campaign: true,
    mintRequests: { orderBy: { id: 'desc' }, include: { transaction: true } },
    vouchers: { orderBy: { id: 'desc' } },
    tokens: { orderBy: { generation: 'desc' }, select: { hash: true } },
  },
} as const satisfies Prisma.EmailClaimDefaultArgs

export type ClaimRow = Prisma.EmailClaimGetPayload<typeof inFull>

/** The claim's campaign. null as soon as that is deleted, when the claim itself may still name it. */
export const campaignIdOf = ({ campaign }: { campaign: { id: string } | null }): string | null => campaign?.id ?? null

export async function readClaim(ctx: Context, id: string): Promise<ClaimRow> {
  const row = await ctx.db.emailClaim.findFirst({ where: { id }, ...inFull })
  if (!row) throw notFound()
  return row
}

/** Locks the claim until the transaction ends. It is the first thing to be locked, always. */
export async function lockClaim(tx: Context, id: string): Promise<EmailClaim> {
  await tx.sql(Prisma.sql`SELECT 1 FROM email_claims WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const row = await tx.db.emailClaim.findFirst({ where: { id } })
  if (!row) throw notFound()
  return row
}

/** Locks many, in the order of their ids, and returns them with everything that their views show. */
export async function lockClaimsInFull(tx: Context, ids: readonly string[]): Promise<ClaimRow[]> {
  await tx.sql(Prisma.sql`SELECT 1 FROM email_claims WHERE id = ANY(${[...ids]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`)
  return tx.db.emailClaim.findMany({ where: { id: { in: [...ids] } }, ...inFull, orderBy: { id: 'asc' } })
}

/** Locks one, and returns it with everything that its views show. */
export async function lockClaimInFull(tx: Context, id: string): Promise<ClaimRow> {
  await lockClaim(tx, id)
  return readClaim(tx, id)
}
