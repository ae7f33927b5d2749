import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { mintOf, withCarrier } from './show-mint.ts'

const MAX_SHOWN = 100

/** Finds a mint request by its own id, or by that of a transaction that carries or carried it; with all others on that transaction. */
export async function getMint(ctx: Context, id: string) {
  const moved = await ctx.sql<{ id: string }>(Prisma.sql`SELECT mint_requests_moved_from(${id}::uuid)::text AS id`)
  const byTransaction = { OR: [{ transactionId: id }, { id: { in: moved.map((row) => row.id) } }] }
  const riding = await ctx.db.mintRequest.findMany({
    where: byTransaction,
    orderBy: { id: 'asc' },
    take: MAX_SHOWN,
    ...withCarrier,
  })
  const found = riding[0] ?? (await ctx.db.mintRequest.findFirst({ where: { id }, ...withCarrier }))
  if (!found) throw notFound()
  const others =
    riding.length > 0
      ? riding
      : await ctx.db.mintRequest.findMany({
          where: { transactionId: found.transactionId },
          orderBy: { id: 'asc' },
          take: MAX_SHOWN,
          ...withCarrier,
        })
  return { ...mintOf(found), mint_requests: others.map(mintOf) }
}
