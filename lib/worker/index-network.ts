import { workerContext } from '../platform/auth/authenticate.ts'
import type { Chain } from '../ports/chain/chain.ts'
import { indexOnce } from '../onchain/indexer/index-once.ts'
import { rememberOperators } from '../onchain/indexer/remember-operators.ts'
import { type Leadership, STAND_BY_MS } from './leadership.ts'
import { loop } from './loop.ts'

/** Indexes one network, one worker at a time. Whoever does it, the cursor's row lets each block be entered once. */
export const indexNetwork = (chain: Chain, leadership: Leadership, signal: AbortSignal): Promise<void> => {
  const task = `index ${chain.network.id}`
  const pollMs = chain.network.finality === 'never' ? 200 : 1_000
  let remembered = false
  return loop(task, signal, async () => {
    // Every process has keys of its own, which don't change while it runs.
    if (!remembered) await rememberOperators(workerContext('indexer'), chain)
    remembered = true
    const lease = await leadership.take(task)
    if (!lease) return STAND_BY_MS
    return (await indexOnce(workerContext('indexer', { lease }), chain)) === 'more' ? 0 : pollMs
  })
}
