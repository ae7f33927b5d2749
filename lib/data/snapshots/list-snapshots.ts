import type { Snapshot } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listSnapshots as endpoint } from '../../platform/api/snapshots.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { snapshotOf } from './show-snapshot.ts'

export function listSnapshots(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = { ...(query.collection_id && { collectionId: query.collection_id }) }
  return paginate(query, {
    list: ['snapshots', ctx.organizationId],
    key: (row: Snapshot) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.snapshot.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () => ctx.db.snapshot.count({ where }),
    show: snapshotOf,
  })
}
