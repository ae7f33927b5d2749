import type { z } from 'zod'
import type { purchaseIntent } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'

type Happening = z.output<typeof purchaseIntent>['timeline'][number]
type After = { status: Happening['status']; fulfillment_status: Happening['fulfillment_status']; detail?: string }

const MAX_ENTRIES = 100

/** What happened to a purchase, from the audit log, without saying who did it. */
export async function timelineOf(ctx: Context, intentId: string): Promise<Happening[]> {
  const entries = await ctx.db.auditEntry.findMany({
    where: {
      subjectType: 'purchase_intent',
      subjectId: intentId,
      action: { in: ['purchase_intent.created', 'purchase_intent.advanced'] },
    },
    orderBy: { id: 'asc' },
    take: MAX_ENTRIES,
    select: { createdAt: true, after: true },
  })
  return entries.map(({ createdAt, after }) => {
    const { status, fulfillment_status, detail } = after as After
    return { at: createdAt, status, fulfillment_status, detail: detail ?? null }
  })
}
