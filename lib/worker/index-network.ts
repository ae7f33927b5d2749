import { workerContext } from '../platform/auth/authenticate.ts'
import type { Chain } from '../ports/chain/chain.ts'
import { indexOnce } from '../onchain/indexer/index-once.ts'
import { rememberOperators } from '../onchain/indexer/remember-operators.ts'
import { loop } from './loop.ts'

/** Indexes one network. Any number of workers may: the cursor's row lets each block be entered once. */
export const indexNetwork = (chain: Chain, signal: AbortSignal): Promise<void> => {
  const pollMs = chain.network.finality === 'never' ? 200 : 1_000
  let remembered = false
  return loop(`index ${chain.network.id}`, signal, async () => {
    const ctx = workerContext('indexer')
    // A process's keys don't change while it runs.
    if (!remembered) await rememberOperators(ctx, chain)
    remembered = true
    return (await indexOnce(ctx, chain)) === 'more' ? 0 : pollMs
  })
}
