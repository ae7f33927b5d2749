import type { Address, Hex } from 'viem'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listMintVouchers } from '@/lib/platform/api/mint-vouchers'
import type * as wallets from '@/lib/platform/api/wallets'
import { api, route } from '../shared/api'

const challengeRoute = route<typeof wallets.challengeWallet>('POST', '/public/v1/wallets/{eth_address}/challenge')
const proofRoute = route<typeof wallets.proveWallet>('POST', '/public/v1/wallets/{eth_address}/proof')
const itemsRoute = route<typeof wallets.listWalletItems>('GET', '/public/v1/wallets/{eth_address}/items')
const itemRoute = route<typeof wallets.getWalletItem>('GET', '/public/v1/wallets/{eth_address}/items/{item_id}')
const historyRoute = route<typeof wallets.listWalletItemHistory>(
  'GET',
  '/public/v1/wallets/{eth_address}/items/{item_id}/history',
)
const nameRoute = route<typeof wallets.resolveName>('POST', '/public/v1/names')
const vouchersRoute = route<typeof listMintVouchers>('GET', '/public/v1/mint-vouchers/{eth_address}')

export type WalletItem = Answer<typeof wallets.listWalletItems>['results'][number]
export type WalletItemInFull = Answer<typeof wallets.getWalletItem>

/** Whose items are shown. `proof`: says that the address is the visitor's, so that private ones are shown too. */
export type Holder = { address: Address; proof: string | null }

/** A page of the items that an address owns. */
export const listOwnItems = ({ address, proof }: Holder, cursor: string | null) =>
  api(itemsRoute, { params: { eth_address: address }, query: { limit: 60, cursor, proof } })

export const getOwnItem = ({ address, proof }: Holder, itemId: string) =>
  api(itemRoute, { params: { eth_address: address, item_id: itemId }, query: { proof } })

export const listOwnItemHistory = ({ address, proof }: Holder, itemId: string, cursor: string | null) =>
  api(historyRoute, { params: { eth_address: address, item_id: itemId }, query: { limit: 20, cursor, proof } })

/** Proves that an address is the visitor's; `sign` signs a text with it. Gives what its lists take for an hour. */
export async function proveAddress(
  address: Address,
  sign: (message: string) => Promise<Hex>,
  networkId: number | null = null,
): Promise<string> {
  const params = { eth_address: address }
  const { message, challenge } = await api(challengeRoute, { params, body: { network_id: networkId } })
  const { proof } = await api(proofRoute, { params, body: { challenge, signature: await sign(message) } })
  return proof
}

/** The address of an ENS name; null where there is none. */
export const addressOfName = async (name: string): Promise<Address | null> =>
  (await api(nameRoute, { body: { name } })).address as Address | null

/** The vouchers that an address may still redeem. */
export const listVouchers = async (owner: Address) =>
  (await api(vouchersRoute, { params: { eth_address: owner }, query: { limit: 100 } })).results
