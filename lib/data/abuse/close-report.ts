import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { resolveReported } from './tell-report.ts'

/**
 * Closes a report. null: there is no open one by that id. The same client may report the same thing again afterwards.
 */
export const closeReport = (worker: SystemContext, id: string, note: string | null): Promise<{ id: string } | null> =>
  inTransaction(worker, async (tx) => {
    const [closed] = await tx.db.abuseReport.updateManyAndReturn({
      where: { id, closedAt: null },
      data: { closedAt: tx.now(), note },
    })
    if (!closed) return null
    await resolveReported(tx, closed)
    return { id: closed.id }
  })
