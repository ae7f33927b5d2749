import type { Address } from 'viem'
import type { Answer } from '@/lib/api/endpoint'
import type { listPublicItems } from '@/lib/api/items'
import type { listMintVouchers } from '@/lib/api/mint-vouchers'
import { request } from './request'

type OwnItems = Answer<typeof listPublicItems>
type Vouchers = Answer<typeof listMintVouchers>

/** What an address owns of the collections made here. */
export const listOwnItems = (owner: Address, cursor: string | null) =>
  request<OwnItems>('GET', `/items?${new URLSearchParams({ owner, limit: '60', ...(cursor ? { cursor } : {}) })}`)

/** What is reserved for an address and waits to be collected. */
export const listVouchers = async (owner: Address) => (await request<Vouchers>('GET', `/mint-vouchers/${owner}?limit=100`)).results
