import type { Context } from '../../platform/auth/context.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'

const SUSPENSION = columns('s', 'Suspension', ['id', 'reason', 'createdAt'])
export type OpenSuspension = RowOf<typeof SUSPENSION> & { collectionName: string | null }

const OPEN: Statement = {
  name: 'open_suspensions',
  text: `SELECT ${SUSPENSION}, ${columns('c', 'Collection', ['name'], 'collection')}
    FROM suspensions s LEFT JOIN collections c ON c.id = s.collection_id
    WHERE s.organization_id = $1::uuid AND s.ended_at IS NULL ORDER BY s.id`,
}

/** Lists the suspensions in the caller's organization that hold now, the oldest first. */
export const listSuspensions = (ctx: Context): Promise<OpenSuspension[]> =>
  ctx.rows<OpenSuspension>(OPEN, ctx.organizationId)
