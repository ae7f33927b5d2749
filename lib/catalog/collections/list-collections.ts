import type { Input } from '../../platform/api/endpoint.ts'
import type {
  listCollections as adminList,
  listPublicCollections as publicList,
} from '../../platform/api/collections.ts'
import type { Context } from '../../platform/auth/context.ts'
import { escapeLike } from '../../core/escape-like.ts'
import type { PageQuery } from '../../core/page.ts'
import { searchFormOf } from '../../core/search-form.ts'
import type { Statement } from '../../db/statements.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { totalById } from '../../records/counts/total-of.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import { adminCollectionsOf, publicCollectionOf } from './show-collection.ts'

const queryOf = (ctx: Context, query: PageQuery, filter: Prisma.CollectionWhereInput) => ({
  key: (row: { id: string }) => row.id,
  find: (range: Parameters<typeof byId>[0]) => {
    const { where, ...rest } = byId(range)
    return ctx.db.collection.findMany({ where: { AND: [where, filter] }, ...rest })
  },
  count: () => totalById(ctx, 'collections', filter, (args) => ctx.db.collection.count(args)),
})

const NAMED: Statement = {
  name: 'collections_named',
  text: 'SELECT id::text FROM collections WHERE organization_id = $1::uuid AND search_form(name) LIKE $2::text',
}

/** An organization has few collections. */
async function findNamed(ctx: Context, part: string): Promise<string[]> {
  const pattern = `%${escapeLike(searchFormOf(part))}%`
  return (await ctx.rows<{ id: string }>(NAMED, ctx.organizationId, pattern)).map(({ id }) => id)
}

export async function listCollections(ctx: Context, query: Input<typeof adminList>['query']) {
  const named = query.search ? await findNamed(ctx, query.search) : null
  return paginate(query, {
    list: ['collections', ctx.organizationId],
    ...queryOf(ctx, query, {
      ...(query.network_id.length > 0 && { networkId: { in: query.network_id } }),
      ...(query.deployment_status && { deploymentStatus: query.deployment_status }),
      ...(named && { id: { in: named } }),
    }),
    showAll: (rows) => adminCollectionsOf(ctx, rows),
  })
}

/** Deployed, public collections of one organization. */
export const listPublicCollections = (ctx: Context, query: Input<typeof publicList>['query']) =>
  paginate(query, {
    list: ['public_collections', null],
    ...queryOf(ctx, query, {
      organizationId: query.organization_id,
      ...(query.collection_id.length > 0 && { id: { in: query.collection_id } }),
      ...(query.network_id.length > 0 && { networkId: { in: query.network_id } }),
    }),
    show: (row) => publicCollectionOf(ctx, row),
  })
