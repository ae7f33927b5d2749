import { getAddress } from 'viem'
import { HIGHEST_UUID, LOWEST_UUID } from '../../core/id.ts'
import { paginate, type Range } from '../../core/paginate.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listWalletItems as endpoint } from '../../platform/api/wallets.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { COUNTED_EXACTLY } from '../../records/counts/total-of.ts'
import { OWNED, OWNED_COLUMNS, ownedBy, ownedItemOf, type OwnedItem } from './owned-items.ts'
import { provedNetworks } from './wallet-proof.ts'

/** In the order of the index of an address's items, so that a page costs the same however many there are. */
const statement = (direction: Range['direction']): Statement => ({
  name: `owned_items_${direction}`,
  text: `SELECT ${OWNED_COLUMNS} ${OWNED} AND o.item_id ${direction === 'asc' ? '>' : '<'} $4::uuid
    ORDER BY o.item_id ${direction} LIMIT $5`,
})
const PAGES = { asc: statement('asc'), desc: statement('desc') }

const COUNT: Statement = {
  name: 'owned_items_count',
  text: `SELECT count(*)::int AS total FROM (SELECT 1 ${OWNED} LIMIT ${COUNTED_EXACTLY + 1}) found`,
}

/** Those with the alarm of `watchAge`. */
const LATE: Statement = { name: 'late_networks', text: 'SELECT id FROM late_networks() AS id ORDER BY id' }

/**
 * Lists the items that an address owns, in every collection here. Private collections only for whoever proved that the
 * address is theirs.
 */
export async function listWalletItems(
  anyone: Context,
  given: string,
  { proof, ...query }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const address = getAddress(given)
  const proved = provedNetworks(address, proof)
  const ctx = asDeployed(anyone)
  const owned = ownedBy(address, proved)
  const reading = paginate(query, {
    // A new proof doesn't end a walk through the list.
    list: ['wallet_items', null, `${address} ${proved ?? 'public'}`],
    key: (row: OwnedItem) => row.id,
    find: ({ after, direction, take }) =>
      ctx.rows<OwnedItem>(
        PAGES[direction],
        ...owned,
        after ?? (direction === 'asc' ? LOWEST_UUID : HIGHEST_UUID),
        take,
      ),
    count: async () => {
      const { total } = (await ctx.rows<{ total: number }>(COUNT, ...owned))[0]!
      return { total, isEstimate: total > COUNTED_EXACTLY }
    },
    show: (row) => ownedItemOf(ctx, row),
  })
  const [page, late] = await Promise.all([reading, ctx.rows<{ id: number }>(LATE)])
  return { ...page, late_networks: late.map(({ id }) => id) }
}
