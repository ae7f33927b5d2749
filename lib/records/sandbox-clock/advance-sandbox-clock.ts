import { DAY } from '../../core/clock.ts'
import { fieldError } from '../../core/errors.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { moveLocalChains } from './move-local-chains.ts'
import { followClock, type SandboxClock } from './read-sandbox-clock.ts'

/** Dates stay far from where formats and databases end. */
const MOST_SECONDS = 3650 * DAY

/**
 * Moves the sandbox's business time forward, here and on the local chains; the other processes follow within a second.
 * Real time, which leases, limits and webhook signatures go by, stays. Throws `unavailable` when the chain doesn't
 * answer: the clock was moved nevertheless, and the worker moves the chain as soon as it answers.
 */
export async function advanceSandboxClock(worker: SystemContext, input: { seconds: number }): Promise<SandboxClock> {
  const ms = Math.round(input.seconds * 1000)
  const moved = await worker.sql<{ aheadMs: bigint }>(Prisma.sql`
    INSERT INTO sandbox_clock AS clock (id, ahead_ms)
    SELECT 1, ${ms}::bigint WHERE ${ms}::bigint <= ${MOST_SECONDS * 1000}::bigint
    ON CONFLICT (id) DO UPDATE SET ahead_ms = clock.ahead_ms + ${ms}::bigint
      WHERE clock.ahead_ms + ${ms}::bigint <= ${MOST_SECONDS * 1000}::bigint
    RETURNING ahead_ms AS "aheadMs"`)
  if (moved.length === 0)
    throw fieldError('invalid_request', 'seconds', 'The sandbox’s clock can be at most ten years ahead of real time.')
  const clock = followClock(Number(moved[0]!.aheadMs))
  await moveLocalChains(worker)
  return clock
}
