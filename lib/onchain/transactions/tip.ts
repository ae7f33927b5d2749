import type { Block, Chain } from '../../ports/chain/chain.ts'

/** The head of a chain and its last final block, as read in one pass. */
export type Tip = {
  head: Block
  /**
   * Up to this block nothing is undone any more: failures count from here. On a chain without finality, k blocks deep
   * counts.
   */
  finalTo: bigint
}

export async function tipOf(chain: Chain): Promise<Tip> {
  const head = await chain.head()
  const finalized = await chain.finalized()
  return { head, finalTo: finalized ?? head.number - BigInt(chain.network.confirmations) + 1n }
}
