import type { AnyContext } from '../platform/auth/context.ts'

/** The holds of these mint requests that the chain has consumed: their tokens are minted or handed over. */
export const findConsumedHolds = (
  ctx: AnyContext,
  mintIds: readonly string[],
): Promise<{ id: string; holderId: string }[]> =>
  ctx.db.hold.findMany({
    where: { holderType: 'MINT_REQUEST', holderId: { in: [...mintIds] }, state: 'CONSUMED' },
    select: { id: true, holderId: true },
  })
