import { getAddress } from 'viem'
import { notFound } from '../../core/errors.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listWalletItemHistory as endpoint } from '../../platform/api/wallets.ts'
import { asDeployed, buyerContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { listHistory } from '../history/list-history.ts'
import { findOwnedItem } from './owned-items.ts'
import { provedNetworks } from './wallet-proof.ts'

/** The chain's history of an item that an address owns. Throws `not_found`. */
export async function listWalletItemHistory(
  anyone: Context,
  given: string,
  itemId: string,
  { proof, ...query }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const address = getAddress(given)
  const item = await findOwnedItem(asDeployed(anyone), address, provedNetworks(address, proof), itemId)
  if (!item) throw notFound()
  // Whoever may see the item may see its history, also where its collection is private.
  return listHistory(buyerContext(anyone, item.organizationId), itemId, query)
}
