import type { PerkCode } from '../../../generated/prisma/client.ts'
import { notFound } from '../../core/errors.ts'
import { byId, paginate } from '../../core/paginate.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listPerkCodes as endpoint } from '../../platform/api/perks.ts'
import { type Context, may } from '../../platform/auth/context.ts'
import { unsealPerk } from './perk-content.ts'

/**
 * The codes of a perk that were given, and to whom; the codes themselves for those who may make them. They are given in
 * the order of their ids.
 */
export async function listPerkCodes(ctx: Context, perkId: string, query: Input<typeof endpoint>['query']) {
  const { address } = query
  const perk = await ctx.db.perk.findFirst({ where: { id: perkId }, select: { givenCount: true } })
  if (!perk) throw notFound()
  const maySee = may(ctx, 'items:write')
  const where = { perkId, itemId: { not: null }, ...(address && { address }) }
  return paginate(query, {
    list: ['perk_codes', ctx.organizationId, perkId],
    key: (row: PerkCode) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.perkCode.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () => (address ? ctx.db.perkCode.count({ where }) : Promise.resolve(perk.givenCount)),
    show: (row) => ({
      id: row.id,
      code: maySee ? unsealPerk<string>(row.id, row.code) : null,
      item_id: row.itemId!,
      unit: row.unit!,
      address: row.address!,
      given_at: row.givenAt!,
    }),
  })
}
