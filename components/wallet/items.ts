import type { Address } from 'viem'
import type { listPublicItems } from '@/lib/platform/api/items'
import type { listMintVouchers } from '@/lib/platform/api/mint-vouchers'
import { api, route } from '../shared/api'

const itemsRoute = route<typeof listPublicItems>('GET', '/public/v1/items')
const vouchersRoute = route<typeof listMintVouchers>('GET', '/public/v1/mint-vouchers/{eth_address}')

/** A page of the items that an address owns in the collections made here. */
export const listOwnItems = (owner: Address, cursor: string | null) =>
  api(itemsRoute, { query: { owner, limit: 60, cursor } })

/** The vouchers that an address may still redeem. */
export const listVouchers = async (owner: Address) =>
  (await api(vouchersRoute, { params: { eth_address: owner }, query: { limit: 100 } })).results
