import { getAddress } from 'viem'
import { notFound } from '../../core/errors.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { getWalletItem as endpoint } from '../../platform/api/wallets.ts'
import { asDeployed, buyerContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import {
  COLLECTION_COLUMNS,
  publicCollectionOf,
  type PublicCollectionRow,
} from '../../catalog/collections/show-collection.ts'
import { findSeller } from '../../organizations/find-seller.ts'
import { findOwnedItem, ownedItemOf } from './owned-items.ts'
import { provedNetworks } from './wallet-proof.ts'

const COLLECTION: Statement = {
  name: 'owned_item_collection',
  text: `SELECT ${COLLECTION_COLUMNS} FROM collections c WHERE c.id = $1::uuid AND c.deployment_status = 'SUCCESS'`,
}

const PERKS: Statement = {
  name: 'perks_of_owned_item',
  text: `SELECT count(*)::int AS perks FROM perks
    WHERE (item_id = $1::uuid OR (item_id IS NULL AND collection_id = $2::uuid)) AND (is_public OR $3::boolean)`,
}

/** An item that an address owns, with its collection and who made it. Throws `not_found`. */
export async function getWalletItem(
  anyone: Context,
  given: string,
  itemId: string,
  { proof }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const address = getAddress(given)
  const ctx = asDeployed(anyone)
  const proved = provedNetworks(address, proof)
  const item = await findOwnedItem(ctx, address, proved, itemId)
  if (!item) throw notFound()
  const own = buyerContext(anyone, item.organizationId, { together: true })
  const isProved = proved === 'all' || proved === item.networkId
  const [[collection], seller, [counted]] = await Promise.all([
    ctx.rows<PublicCollectionRow>(COLLECTION, item.collectionId),
    findSeller(own, item.organizationId),
    own.rows<{ perks: number }>(PERKS, itemId, item.collectionId, isProved),
  ])
  if (!collection || !seller) throw notFound()
  return {
    ...ownedItemOf(ctx, item),
    perks: counted!.perks,
    collection: publicCollectionOf(ctx, collection),
    organization: { id: seller.id, name: seller.name, domain: seller.domain },
  }
}
