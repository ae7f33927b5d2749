import { systemContext } from '../platform/auth/authenticate.ts'
import { moveLocalChains } from '../records/sandbox-clock/move-local-chains.ts'
import { readSandboxClock } from '../records/sandbox-clock/read-sandbox-clock.ts'
import { loop } from './loop.ts'

const FOLLOW_MS = 900
/** A node that was restarted has lost its offset. */
const MOVE_AGAIN_MS = 10_000

type Options = {
  movesChains: boolean
  /** Called when the clock was moved. */
  moved?: () => void
}

/**
 * In a sandbox: this process follows the clock that any process advanced. With `movesChains` the local chains follow as
 * well.
 */
export function followSandboxClock(signal: AbortSignal, { movesChains, moved }: Options): Promise<void> {
  let ahead = 0
  let movedMs = 0
  const step = async () => {
    const worker = systemContext('sandbox clock')
    const { aheadSeconds } = await readSandboxClock(worker)
    const isMoved = aheadSeconds !== ahead
    if (isMoved) moved?.()
    if (movesChains && aheadSeconds > 0 && (isMoved || performance.now() - movedMs > MOVE_AGAIN_MS)) {
      await moveLocalChains(worker)
      movedMs = performance.now()
    }
    ahead = aheadSeconds
    return FOLLOW_MS
  }
  return loop('follow the sandbox clock', signal, step, { inMaintenance: true })
}
