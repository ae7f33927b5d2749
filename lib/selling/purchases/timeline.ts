import type { z } from 'zod'
import type { purchaseIntent } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'

type Happening = z.output<typeof purchaseIntent>['timeline'][number]
type After = { status: Happening['status']; fulfillment_status: Happening['fulfillment_status']; detail?: string }

/** The actions in the audit log that timelines show. */
export const SHOWN_ACTIONS = ['purchase_intent.created', 'purchase_intent.advanced']
/** The most entries that the timeline of one purchase shows: the earliest. */
export const MAX_ENTRIES = 100

/** The timeline of each purchase, from the audit log, without who did it. Read in one statement. */
export async function timelinesOf(ctx: Context, intentIds: readonly string[]): Promise<Map<string, Happening[]>> {
  const entries = await ctx.db.auditEntry.findMany({
    where: {
      subjectType: 'purchase_intent',
      subjectId: { in: [...intentIds] },
      action: { in: SHOWN_ACTIONS },
    },
    orderBy: { id: 'asc' },
    take: MAX_ENTRIES * intentIds.length,
    select: { subjectId: true, createdAt: true, after: true },
  })
  const entriesOf = Map.groupBy(entries, ({ subjectId }) => subjectId)
  return new Map(intentIds.map((id) => [id, (entriesOf.get(id) ?? []).slice(0, MAX_ENTRIES).map(happeningOf)]))
}

export function happeningOf({ createdAt, after }: { createdAt: Date; after: unknown }): Happening {
  const { status, fulfillment_status, detail } = after as After
  return { at: createdAt, status, fulfillment_status, detail: detail ?? null }
}
