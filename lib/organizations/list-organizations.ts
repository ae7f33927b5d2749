import type { Context } from '../platform/auth/context.ts'
import type { PageQuery } from '../core/page.ts'
import { paginate } from '../core/paginate.ts'
import { getOrganization } from './get-organization.ts'

/** The organizations that the caller can reach: only their own. */
export const listOrganizations = (ctx: Context, query: PageQuery) =>
  paginate(query, {
    list: ['organizations', ctx.organizationId],
    key: ({ id }: { id: string }) => id,
    find: async ({ after }) => (after === undefined ? [await getOrganization(ctx)] : []),
    count: async () => 1,
    show: (organization) => organization,
  })
