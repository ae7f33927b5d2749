import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

export type OpenSuspension = { id: string; reason: string; createdAt: Date; collectionName: string | null }

const OPEN: Statement = {
  name: 'open_suspensions',
  text: `SELECT s.id::text AS id, s.reason, s.created_at AS "createdAt", c.name AS "collectionName"
    FROM suspensions s LEFT JOIN collections c ON c.id = s.collection_id
    WHERE s.organization_id = $1::uuid AND s.ended_at IS NULL ORDER BY s.id`,
}

/** Lists the suspensions in the caller's organization that hold now, the oldest first. */
export const listSuspensions = (ctx: Context): Promise<OpenSuspension[]> =>
  ctx.rows<OpenSuspension>(OPEN, ctx.organizationId)
