import type { Address } from 'viem'
import type { PictureItem } from '@/components/ui/picture'
import { request } from './request'
import type { VoucherEntry } from './voucher'

type Page<Row> = { cursor: string | null; has_more: boolean; results: Row[]; total_results: number }

export type OwnItem = PictureItem & {
  id: string
  token_id: string
  network_id: number
  contract_address: Address | null
}

/** What an address owns of the collections made here. */
export const listOwnItems = (owner: Address, cursor: string | null) =>
  request<Page<OwnItem>>('GET', `/items?${new URLSearchParams({ owner, limit: '60', ...(cursor ? { cursor } : {}) })}`)

/** What is reserved for an address and waits to be collected. */
export const listVouchers = async (owner: Address) => (await request<Page<VoucherEntry>>('GET', `/mint-vouchers/${owner}?limit=100`)).results
