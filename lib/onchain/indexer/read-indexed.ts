import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { tipOf } from '../transactions/tip.ts'
import { readCursor } from './cursor.ts'

/** Up to which block the indexer has come, and whether that block is on the chain. null: it has entered nothing. */
export type Indexed = { number: bigint; isOnChain: boolean } | null

export async function readIndexed(worker: SystemContext, chain: Chain): Promise<Indexed> {
  const cursor = await readCursor(worker, chain.network.id)
  if (!cursor?.hash) return null
  const block = await chain.block(cursor.number)
  return { number: cursor.number, isOnChain: block?.hash === cursor.hash }
}

/**
 * The last block that is both final and indexed. Rows up to it can't be undone. null: there is no such block, or the
 * indexer's last block isn't on the chain any more.
 */
export async function readFinalEntered(worker: SystemContext, chain: Chain): Promise<bigint | null> {
  // The final block is read first. If the indexer's block is on the chain afterwards, so are all final blocks that it
  // entered.
  const { finalTo } = await tipOf(chain)
  const indexed = await readIndexed(worker, chain)
  if (!indexed?.isOnChain) return null
  return indexed.number < finalTo ? indexed.number : finalTo
}
