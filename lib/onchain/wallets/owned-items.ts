import type { z } from 'zod'
import type { walletItem } from '../../platform/api/wallets.ts'
import type { Context } from '../../platform/auth/context.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import { type FlatPublicItem, PUBLIC_ITEM_COLUMNS, shownOf } from '../../catalog/items/public-item.ts'
import { shownQuantity } from '../history/list-history.ts'
import type { ProvedNetworks } from './wallet-proof.ts'

/** An item with how many units of it an address owns. */
export type OwnedItem = FlatPublicItem & RowOf<typeof COLLECTION> & { quantity: string }

const COLLECTION = columns('c', 'Collection', ['organizationId', 'isPublic'])

/**
 * Locked items of deployed collections that the address $1 owns, the private ones only on the networks that it proved
 * itself on: $2 says on all, $3 names one.
 */
export const OWNED = `FROM item_owners o JOIN items i ON i.id = o.item_id JOIN collections c ON c.id = i.collection_id
  WHERE o.address = $1 AND o.quantity > 0 AND i.locked_at IS NOT NULL AND c.deployment_status = 'SUCCESS'
    AND (c.is_public OR $2::boolean OR c.network_id = $3::int)`

export const OWNED_COLUMNS = `${PUBLIC_ITEM_COLUMNS}, ${COLLECTION}, o.quantity::text AS quantity`

/** The first three values of statements with `OWNED`. */
export const ownedBy = (address: string, proved: ProvedNetworks | null) =>
  [address, proved === 'all', typeof proved === 'number' ? proved : null] as const

const ONE: Statement = { name: 'owned_item', text: `SELECT ${OWNED_COLUMNS} ${OWNED} AND o.item_id = $4::uuid` }

/**
 * An item that the address owns units of; undefined where it owns none, or may not be seen. `ctx` reads deployed
 * collections.
 */
export const findOwnedItem = async (
  ctx: Context,
  address: string,
  proved: ProvedNetworks | null,
  itemId: string,
): Promise<OwnedItem | undefined> => (await ctx.rows<OwnedItem>(ONE, ...ownedBy(address, proved), itemId))[0]

/** Unrevealed items show their preview, to their owners too. */
export const ownedItemOf = (ctx: Context, row: OwnedItem): z.output<typeof walletItem> => ({
  ...shownOf(row, ctx),
  organization_id: row.organizationId,
  collection_name: row.name,
  is_public: row.isPublic,
  quantity: shownQuantity(row.quantity),
})
