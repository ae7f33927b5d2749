import { workerContext } from '../auth/authenticate.ts'
import type { Chain } from '../chain/chain.ts'
import { indexOnce } from '../history/index-once.ts'
import { loop } from './loop.ts'

/** Follows one network. Any number of workers may: the cursor's row sees to it that each block is entered once. */
export const indexNetwork = (chain: Chain, signal: AbortSignal): Promise<void> => {
  const pollMs = chain.network.finality === 'never' ? 200 : 1_000
  return loop(`index ${chain.network.id}`, signal, async () => ((await indexOnce(workerContext('indexer'), chain)) === 'more' ? 0 : pollMs))
}
