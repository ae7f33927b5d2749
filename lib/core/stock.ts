/** The counters of an item that decide how many units can still be given. */
export type StockCounts = { maxSupply: bigint | null; minted: bigint; held: bigint; custodian: string | null }

/** Minted units that one of our operators has. They can be given again. */
export const unitsInCustody = ({ custodian }: Pick<StockCounts, 'custodian'>): bigint => (custodian === null ? 0n : 1n)

/** Units that others own, or that are held for somebody. */
export const committedUnits = (counts: Omit<StockCounts, 'maxSupply'>): bigint =>
  counts.minted - unitsInCustody(counts) + counts.held

/**
 * Units that can still be given, as the database counts them (givable_units); never negative. null: there is no limit.
 */
export function givableUnits({ maxSupply, ...counts }: StockCounts): bigint | null {
  if (maxSupply === null) return null
  const left = maxSupply - committedUnits(counts)
  return left > 0n ? left : 0n
}
