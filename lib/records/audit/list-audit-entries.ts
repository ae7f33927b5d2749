import type { listAuditEntries as endpoint } from '../../platform/api/audit-entries.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Total } from '../../core/page.ts'
import { paginate } from '../../core/paginate.ts'
import { countRows } from '../counts/count-rows.ts'
import { totalOf } from '../counts/total-of.ts'
import { type AuditFilter, countMatching, findEntries } from './find-entries.ts'
import { auditEntriesOf, type ShownEntry } from './show-audit-entry.ts'

type Query = Input<typeof endpoint>['query']

export const listAuditEntries = (ctx: Context, query: Query) =>
  paginate(query, {
    list: ['audit_entries', ctx.organizationId],
    key: (row: ShownEntry) => row.id,
    find: async (range) => auditEntriesOf(await findEntries(ctx, query, range)),
    count: () => countEntries(ctx, query),
    show: (row) => row,
  })

async function countEntries(ctx: Context, query: AuditFilter): Promise<number | Total> {
  if (!query.subject_id && !query.from && !query.to) {
    const total = await countRows(ctx, {
      table: 'audit_entries',
      traits: {
        actorType: query.actor_type,
        actorId: query.actor_id,
        action: query.action,
        subjectType: query.subject_type,
      },
    })
    // Claims and purchases are actors too: each did little, and counts by actor leave them out.
    if (total > 0 || !query.actor_id) return total
  }
  return totalOf(
    ctx,
    'audit_entries',
    (most) => countMatching(ctx, query, { most }),
    (ids) => countMatching(ctx, query, { ids }),
  )
}
