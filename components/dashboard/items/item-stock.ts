import type { StockCounts } from '@/lib/core/stock'

type WireStock = { max_supply: bigint | null; minted: bigint; held: bigint; kept_by: string | null }

/** The counters of an item as the API names them. */
export const stockOf = ({ max_supply, minted, held, kept_by }: WireStock): StockCounts => ({
  maxSupply: max_supply,
  minted,
  held,
  custodian: kept_by,
})
