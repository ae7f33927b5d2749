import type { MediaFile } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listMedia as endpoint } from '../../platform/api/media.ts'
import type { Context } from '../../platform/auth/context.ts'
import { escapeLike } from '../../core/escape-like.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { countRows } from '../counts/count-rows.ts'
import { totalById } from '../counts/total-of.ts'
import { mediaFileOf } from './show-media.ts'

export function listMedia(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = {
    ...(query.pinning && { pinning: query.pinning }),
    ...(query.search && {
      OR: [
        { name: { contains: escapeLike(query.search.normalize('NFC')), mode: 'insensitive' as const } },
        { cid: query.search },
      ],
    }),
  }
  return paginate(query, {
    list: ['media_files', ctx.organizationId],
    key: (row: MediaFile) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.mediaFile.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () =>
      query.search
        ? totalById(ctx, 'media_files', where, (args) => ctx.db.mediaFile.count(args))
        : countRows(ctx, { table: 'media_files', traits: { pinning: query.pinning } }),
    show: (row) => mediaFileOf(row, ctx.ports.addresses.origin),
  })
}
