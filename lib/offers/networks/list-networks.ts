import type { z } from 'zod'
import type { network } from '../../platform/api/history.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Network } from '../../ports/chain/chain.ts'
import type { Page, PageQuery } from '../../core/page.ts'
import { paginate } from '../../core/paginate.ts'
import { networksOf } from '../../ports/ports.ts'

/** The networks this installation is on, ordered by id. */
export function listNetworks(ctx: Pick<Context, 'ports'>, query: PageQuery): Promise<Page<z.output<typeof network>>> {
  const all = networksOf(ctx.ports)
  return paginate(query, {
    list: ['networks', null],
    key: ({ id }: Network) => String(id),
    find: async ({ after, direction, take }) => {
      const ordered = direction === 'asc' ? all : all.toReversed()
      const isAfter = (id: number) =>
        after === undefined || (direction === 'asc' ? id > Number(after) : id < Number(after))
      return ordered.filter(({ id }) => isAfter(id)).slice(0, take)
    },
    count: async () => all.length,
    show: ({ id, name, testnet }) => ({ id, name, testnet }),
  })
}
