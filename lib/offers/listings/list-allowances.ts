import type { ListingAllowance } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listAllowances as endpoint } from '../../platform/api/allow-lists.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { escapeLike } from '../../core/escape-like.ts'
import { paginate } from '../../core/page.ts'
import { totalOf } from '../../records/counts/total-of.ts'
import { countAllowances } from './count-allowances.ts'

const LISTING: Statement = {
  name: 'listing_of_allowances',
  text: 'SELECT 1 FROM listings WHERE organization_id = $1::uuid AND id = $2::uuid',
}

/** A listing's allow list: addresses, then emails, each in alphabetical order. */
export async function listAllowances(ctx: Context, listingId: string, query: Input<typeof endpoint>['query']) {
  const [listing] = await ctx.rows(LISTING, ctx.organizationId, listingId)
  if (!listing) throw notFound()
  const filter = {
    listingId,
    ...(query.search && { identity: { contains: escapeLike(query.search), mode: 'insensitive' as const } }),
  }
  return paginate(query, {
    key: ({ kind, identity }: ListingAllowance) => `${kind} ${identity}`,
    isKey: (key) => /^(ADDRESS|EMAIL) ./.test(key),
    find: ({ after, direction, take }) => {
      const [kind, identity = ''] = (after ?? '').split(' ') as ['ADDRESS' | 'EMAIL', string?]
      const beyond = direction === 'asc' ? ('gt' as const) : ('lt' as const)
      // Emails come after addresses.
      const others = direction === 'asc' ? ('EMAIL' as const) : ('ADDRESS' as const)
      const start =
        after === undefined
          ? []
          : [{ OR: [{ kind, identity: { [beyond]: identity } }, ...(kind === others ? [] : [{ kind: others }])] }]
      return ctx.db.listingAllowance.findMany({
        where: { AND: [filter, ...start] },
        orderBy: [{ kind: direction }, { identity: direction }],
        take,
      })
    },
    count: () =>
      query.search
        ? totalOf(
            ctx,
            'listing_allowances',
            (take) => ctx.db.listingAllowance.count({ where: filter, take }),
            (identities) =>
              ctx.db.listingAllowance.count({ where: { AND: [filter, { identity: { in: identities } }] } }),
          )
        : countAllowances(ctx, listingId),
    show: ({ kind, identity, createdAt }) => ({
      eth_address: kind === 'ADDRESS' ? identity : null,
      email_address: kind === 'EMAIL' ? identity : null,
      created_at: createdAt,
    }),
  })
}
