import type { Context } from '../auth/context.ts'

const MOST = 10

/** What is wrong in this organization right now, newest first. */
export async function openAlarms(ctx: Context): Promise<{ id: string; kind: string; subject: string; detail: string; createdAt: Date }[]> {
  return ctx.db.alarm.findMany({
    where: { resolvedAt: null },
    orderBy: { id: 'desc' },
    take: MOST,
    select: { id: true, kind: true, subject: true, detail: true, createdAt: true },
  })
}
