import type { Address } from 'viem'
import { raiseAlarm, resolveAlarm } from '../records/alarms/raise-alarm.ts'
import { systemContext } from '../platform/auth/authenticate.ts'
import type { Lease } from '../db/leases.ts'
import { realNow } from '../core/clock.ts'
import { type Chain, ChainUnavailable } from '../ports/chain/chain.ts'
import { submitNext } from '../onchain/transactions/submit-next.ts'
import { newWatch, watchSubmitted } from '../onchain/transactions/watch-submitted.ts'
import { kindOf } from './due-kinds.ts'
import type { Timer } from './run-timer.ts'

/** Short, so that a redeemed claim is sent while its recipient watches. */
const IDLE_MS = 200
const LOW_BALANCE_MS = 2_000
/** While nothing that was sent is open: a reorg is noticed, and what was mined becomes final. */
const WATCH_REST_SECONDS = 10
/** How long a network may be silent before an alarm is raised. */
const SILENCE_MS = 60_000

/** Sends the waiting transactions of one lane: one operator on one network, one sender at a time. */
export const sendTransactions = (chain: Chain, operator: Address): Timer => ({
  name: `send ${chain.network.id}:${operator}`,
  rest: { kind: kindOf('send', chain.network.id), seconds: 60 },
  step: async (lease) => {
    const outcome = await submitNext(systemContext('sender', { lease }), chain, operator)
    if (outcome === 'sent' || outcome === 'changed') return 0
    return outcome === 'short' ? LOW_BALANCE_MS : IDLE_MS
  },
})

/** Watches the sent transactions of one network. */
export const watchTransactions = (chain: Chain): Timer => {
  const { id, name, finality } = chain.network
  const pollMs = finality === 'never' ? 250 : 3_000
  let watch = newWatch()
  let held: Lease | null = null
  let answeredAt = realNow().getTime()
  let isSilent = true
  const step = async (lease: Lease) => {
    // Facts that were remembered before another process had the task may not hold any more.
    if (lease !== held) {
      watch = newWatch()
      answeredAt = realNow().getTime()
      isSilent = true
    }
    held = lease
    const ctx = systemContext('watcher', { lease })
    try {
      await watchSubmitted(ctx, chain, watch)
    } catch (error) {
      if (error instanceof ChainUnavailable && realNow().getTime() - answeredAt > SILENCE_MS) {
        isSilent = true
        await raiseAlarm(
          ctx,
          'chain_down',
          String(id),
          `No node of ${name} has answered for a minute: transactions wait.`,
        )
      }
      throw error
    }
    answeredAt = realNow().getTime()
    if (isSilent) await resolveAlarm(ctx, 'chain_down', String(id))
    isSilent = false
    return pollMs
  }
  const rest = { kind: kindOf('watch', id), seconds: WATCH_REST_SECONDS }
  return { name: `watch ${id}`, rest, step, standBy: () => void (held = null) }
}
