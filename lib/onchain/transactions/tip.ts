import type { Block, Chain } from '../../ports/chain/chain.ts'

/** How far a chain has come, as one pass sees it. */
export type Tip = {
  head: Block
  /** Up to this block nothing is undone any more: failures count from here. On a chain that is never final, k deep counts. */
  finalTo: bigint
}

export async function tipOf(chain: Chain): Promise<Tip> {
  const head = await chain.head()
  const finalized = await chain.finalized()
  return { head, finalTo: finalized ?? head.number - BigInt(chain.network.confirmations) + 1n }
}
