import type { Context } from '../../platform/auth/context.ts'

export type OpenSuspension = { id: string; reason: string; createdAt: Date; collectionName: string | null }

/** What of the caller's organization is suspended now, the oldest first. */
export async function listSuspensions({ db }: Context): Promise<OpenSuspension[]> {
  const rows = await db.suspension.findMany({
    where: { endedAt: null },
    orderBy: { id: 'asc' },
    select: { id: true, reason: true, createdAt: true, collection: { select: { name: true } } },
  })
  return rows.map(({ collection, ...row }) => ({ ...row, collectionName: collection?.name ?? null }))
}
