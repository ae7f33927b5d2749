import { MINUTE, realNow } from '../../core/clock.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import type { Block, Network } from '../../ports/chain/chain.ts'

/** Networks take no block from further in the future than some seconds. */
const AHEAD_SECONDS = 60
/** Nodes lag, and networks halt. The newest blocks are called wrongly dated only from this age on. */
const BEHIND_SECONDS = 5 * MINUTE
/**
 * Where blocks keep coming at the same age for so long, nothing catches up and nothing halts: it is a clock that
 * differs.
 */
const STEADY_SECONDS = 5 * MINUTE
const STEADY_BLOCKS = 5n
const SAME_SECONDS = 60

/** Since when the newest block has been so old. */
type Lag = { seconds: number; sinceMs: number; number: bigint }
const lags = oncePerProcess('lags of heads', () => new Map<number, Lag>())

/**
 * A sentence about PostgreSQL's clock, which all processes go by, where it differs from the newest block. null: it
 * doesn't, or isn't known to. A local chain has a time of its own.
 */
export function wrongServerClock(network: Pick<Network, 'id' | 'name' | 'finality'>, head: Block): string | null {
  if (network.finality === 'never') return null
  const ms = realNow().getTime()
  const seconds = Math.round((ms - head.timestamp.getTime()) / 1000)
  const isWrong = seconds < -AHEAD_SECONDS || (seconds > BEHIND_SECONDS && isSteady(network.id, head, seconds, ms))
  if (seconds <= BEHIND_SECONDS) lags.delete(network.id)
  if (!isWrong) return null
  return (
    `The newest block of ${network.name}, ${head.number}, is dated ${head.timestamp.toISOString()}, ` +
    `and PostgreSQL’s clock says ${new Date(ms).toISOString()}: the database server’s clock is ${Math.abs(seconds)} ` +
    `s ${seconds > 0 ? 'ahead' : 'behind'}. Work goes on by it. Set it, and keep it by NTP.`
  )
}

function isSteady(networkId: number, { number }: Block, seconds: number, ms: number): boolean {
  const lag = lags.get(networkId)
  if (!lag || Math.abs(seconds - lag.seconds) > SAME_SECONDS) {
    lags.set(networkId, { seconds, sinceMs: ms, number })
    return false
  }
  return ms - lag.sinceMs >= STEADY_SECONDS * 1000 && number - lag.number >= STEADY_BLOCKS
}
