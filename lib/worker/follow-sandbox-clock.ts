import { systemContext } from '../platform/auth/authenticate.ts'
import { moveLocalChains } from '../records/sandbox-clock/move-local-chains.ts'
import { readSandboxClock } from '../records/sandbox-clock/read-sandbox-clock.ts'
import { loop } from './loop.ts'

const FOLLOW_MS = 500

/**
 * In a sandbox: this process follows the clock that any process advanced. With `movesChains` the local chains follow as
 * well.
 */
export const followSandboxClock = (signal: AbortSignal, { movesChains }: { movesChains: boolean }): Promise<void> =>
  loop(
    'follow the sandbox clock',
    signal,
    async () => {
      const worker = systemContext('sandbox clock')
      const { aheadSeconds } = await readSandboxClock(worker)
      if (movesChains && aheadSeconds > 0) await moveLocalChains(worker)
      return FOLLOW_MS
    },
    { inMaintenance: true },
  )
