import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { tipOf } from '../transactions/tip.ts'
import { readCursor } from './cursor.ts'

/** Up to which block the indexer has come, and whether that block is on the chain. null: it has entered nothing. */
export type Indexed = { number: bigint; isOnChain: boolean } | null

export async function readIndexed(worker: WorkerContext, chain: Chain): Promise<Indexed> {
  const cursor = await readCursor(worker, chain.network.id)
  if (!cursor?.hash) return null
  const block = await chain.block(cursor.number)
  return { number: cursor.number, isOnChain: block?.hash === cursor.hash }
}

/**
 * The last block that is final and entered: what is entered up to it is of the chain for good. null: there is none, or the index is on a branch
 * that a reorg left, whose blocks lie at heights that are final by now.
 */
export async function readFinalEntered(worker: WorkerContext, chain: Chain): Promise<bigint | null> {
  // Read before the index: where its block is on the chain after that, all final ones below it are those that were entered.
  const { finalTo } = await tipOf(chain)
  const indexed = await readIndexed(worker, chain)
  if (!indexed?.isOnChain) return null
  return indexed.number < finalTo ? indexed.number : finalTo
}
