import type { Chain } from '../../ports/chain/chain.ts'

/**
 * The last block not after a time, by binary search; null unless the block `staying`, which no reorg undoes, is past
 * that time.
 */
export async function lastBlockAt(chain: Chain, at: Date, staying: bigint): Promise<bigint | null> {
  const isAfter = async (number: bigint) => ((await chain.block(number))?.timestamp ?? at) > at
  if (!(await isAfter(staying))) return null
  let [before, after] = [-1n, staying]
  while (after - before > 1n) {
    const middle = (before + after) / 2n
    if (await isAfter(middle)) after = middle
    else before = middle
  }
  return before < 0n ? 0n : before
}
