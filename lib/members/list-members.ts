import type { Prisma } from '../../generated/prisma/client.ts'
import type { Input } from '../platform/api/endpoint.ts'
import type { listMembers as endpoint } from '../platform/api/members.ts'
import type { Context } from '../platform/auth/context.ts'
import { findPerson } from '../platform/auth/person.ts'
import { byId, paginate } from '../core/paginate.ts'
import { type ShownMember, showMembers } from './read-member.ts'

export async function listMembers(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where: Prisma.MemberWhereInput = {
    removedAt: null,
    ...(query.role && { role: query.role }),
    ...(query.status && { joinedAt: query.status === 'ACTIVE' ? { not: null } : null }),
    ...(query.email && { userId: { in: await userIdsOf(query.email) } }),
  }
  return paginate(query, {
    list: ['members', ctx.organizationId],
    key: ({ id }: ShownMember) => id,
    find: async (range) => {
      const { where: after, ...rest } = byId(range)
      return showMembers(await ctx.db.member.findMany({ where: { AND: [where, after] }, ...rest }))
    },
    count: () => ctx.db.member.count({ where }),
    show: (member) => member,
  })
}

const userIdsOf = async (email: string): Promise<string[]> => [(await findPerson(email)) ?? []].flat()
