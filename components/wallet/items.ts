import type { Address } from 'viem'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listPublicItems } from '@/lib/platform/api/items'
import type { listMintVouchers } from '@/lib/platform/api/mint-vouchers'
import { request } from '../shared/request'

type OwnItems = Answer<typeof listPublicItems>
type Vouchers = Answer<typeof listMintVouchers>

/** What an address owns of the collections made here. */
export const listOwnItems = (owner: Address, cursor: string | null) =>
  request<OwnItems>('GET', `/items?${new URLSearchParams({ owner, limit: '60', ...(cursor ? { cursor } : {}) })}`)

/** What is reserved for an address and waits to be collected. */
export const listVouchers = async (owner: Address) =>
  (await request<Vouchers>('GET', `/mint-vouchers/${owner}?limit=100`)).results
