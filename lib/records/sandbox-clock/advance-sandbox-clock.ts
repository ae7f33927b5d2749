import { DAY } from '../../core/clock.ts'
import { fieldError } from '../../core/errors.ts'
import { inTransaction, type ModelsContext } from '../../platform/auth/context.ts'
import { moveLocalChains } from './move-local-chains.ts'
import { followClock, type SandboxClock } from './read-sandbox-clock.ts'

/** Dates stay far from where formats and databases end. */
const MOST_SECONDS = 3650 * DAY

/**
 * Moves the sandbox's business time forward, here and on the local chains; the other processes follow within a second.
 * Real time, which leases, limits and webhook signatures go by, stays. Throws `unavailable` when the chain doesn't
 * answer: the clock was moved nevertheless, and the worker moves the chain as soon as it answers.
 */
export async function advanceSandboxClock(
  sandbox: ModelsContext<'sandboxClock'>,
  input: { seconds: number },
): Promise<SandboxClock> {
  const ms = Math.round(input.seconds * 1000)
  const [moved] = await inTransaction(sandbox, async ({ db: { sandboxClock } }) => {
    await sandboxClock.createMany({ data: [{ id: 1, aheadMs: 0 }], skipDuplicates: true })
    const isNear = { id: 1, aheadMs: { lte: MOST_SECONDS * 1000 - ms } }
    return sandboxClock.updateManyAndReturn({ where: isNear, data: { aheadMs: { increment: ms } } })
  })
  if (!moved)
    throw fieldError('invalid_request', 'seconds', 'The sandbox’s clock can be at most ten years ahead of real time.')
  const clock = followClock(Number(moved.aheadMs))
  await moveLocalChains(sandbox)
  return clock
}
