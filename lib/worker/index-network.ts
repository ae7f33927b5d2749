import { setTimeout as wait } from 'node:timers/promises'
import { workerContext } from '../auth/authenticate.ts'
import type { Chain } from '../chain/chain.ts'
import { log } from '../core/log.ts'
import { indexOnce } from '../history/index-once.ts'

const LONGEST_PAUSE_MS = 10_000

/** Follows one network until the signal. Whatever fails is written to the log and tried again, ever more slowly. */
export async function indexNetwork(chain: Chain, signal: AbortSignal): Promise<void> {
  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => undefined)
  const pollMs = chain.network.finality === 'never' ? 200 : 1_000
  for (let failures = 0; !signal.aborted; ) {
    try {
      const indexed = await indexOnce(workerContext('indexer'), chain)
      failures = 0
      if (indexed !== 'more') await pause(pollMs)
    } catch (error) {
      failures++
      if (!signal.aborted) log.error({ error, networkId: chain.network.id, failures }, 'Indexing a network failed; it is tried again.')
      await pause(Math.min(LONGEST_PAUSE_MS, pollMs * 2 ** failures))
    }
  }
}
