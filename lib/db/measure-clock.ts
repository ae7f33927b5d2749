import { followServerTime, hostTime, serverTime } from '../core/clock.ts'
import { leasePool } from './client.ts'

/**
 * How far this host's clock is ahead of PostgreSQL's; negative: behind. The true difference is at most `errorMs` more
 * or less.
 */
type Measured = { aheadMs: number; errorMs: number }

/**
 * Reads PostgreSQL's clock, which this process goes by from then on. The answer was made at some moment of its round
 * trip, so half of that is the error.
 */
export async function measureClock(): Promise<Measured> {
  const client = await leasePool().connect()
  try {
    const askedMs = performance.now()
    const { rows } = await client.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    )
    const answeredMs = performance.now()
    const ownMs = hostTime()
    const errorMs = (answeredMs - askedMs) / 2
    followServerTime({ serverMs: rows[0]!.ms, atMs: askedMs + errorMs }, errorMs)
    return { aheadMs: Math.round(ownMs - serverTime()), errorMs }
  } finally {
    client.release()
  }
}
