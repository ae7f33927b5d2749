import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { SystemContext } from '../../lib/platform/auth/context.ts'
import { newId } from '../../lib/core/id.ts'
import type { Lease } from '../../lib/db/leases.ts'
import { adoptTokens } from '../../lib/onchain/indexer/adopt-tokens.ts'
import { indexOnce } from '../../lib/onchain/indexer/index-once.ts'
import { matchMoves } from '../../lib/onchain/indexer/match-moves.ts'
import { rememberOperators } from '../../lib/onchain/indexer/remember-operators.ts'
import { advanceRecoveries } from '../../lib/onchain/recovery/advance-recoveries.ts'
import { submitNext } from '../../lib/onchain/transactions/submit-next.ts'
import { newWatch, watchSubmitted } from '../../lib/onchain/transactions/watch-submitted.ts'
import { applyVoucherFacts } from '../../lib/onchain/vouchers/apply-voucher-facts.ts'
import type { Chain } from '../../lib/ports/chain/chain.ts'
import { ports } from '../../lib/ports/ports.ts'
import { runSandboxCards } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { isDueKind, kindOf } from '../../lib/worker/due-kinds.ts'
import { type Leadership, openLeadership } from '../../lib/worker/leadership.ts'
import { findDueKinds } from '../../lib/worker/look.ts'
import { TIMERS } from '../../lib/worker/timers.ts'
import { clockMs } from './clock.ts'
import { runOneJob } from './jobs.ts'
import { postEvents } from './outside.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { Swarm } from './swarm.ts'

type Step = (worker: SystemContext) => Promise<unknown>
type Loop = { name: string; everyMs: number; dueAt: number; isRunning: boolean; step: () => Promise<unknown> }

/** The timers that matter to what people were promised, and how often they come, in seconds. */
const TIMER_SECONDS: Record<string, number> = {
  'expire claims': 20,
  'expire vouchers': 8,
  'expire transfers': 20,
  'reconcile open payments': 20,
  'list card payments': 40,
  'reconcile everything paid': 120,
  'start and end listings': 30,
  'expire purchases': 10,
  'settle purchases': 8,
  'return unopened': 60,
  'lift locks': 60,
  'check operators': 30,
  'fold figures': 60,
  'fold counts': 60,
  'fold sums of collections': 60,
  'tell alarms': 60,
  'end tries': 20,
}

export type SimulatedWorker = ReturnType<typeof makeWorker>

/**
 * A step that is taken only while the look finds rows of its kind. Never in between, as a worker does: a row that the
 * look doesn't tell of would wait for ever.
 */
const whenDue = (kind: string, network: number, step: () => Promise<unknown>) => async (): Promise<unknown> => {
  const found = await findDueKinds([network])
  return found.some((due) => due.kind === kind && due.at <= clockMs()) && step()
}

/** A worker process: the loops of lib/worker, whose steps begin when the scheduler says so. */
export function makeWorker(scheduler: Scheduler, name: string, swarm: Swarm, { slowness = 1 } = {}) {
  let process: Process = { name, isAlive: true }
  let lives = 1
  let leadership: Leadership
  let loops: Loop[] = []

  const leased = (task: string, step: Step) => async (): Promise<unknown> => {
    const lease: Lease | null = await leadership.take(task)
    return lease && step(systemContext('worker', { lease }))
  }

  function loopsOf(chain: Chain): Loop[] {
    const { id } = chain.network
    const [operator] = ports().keys.operators
    let watch = newWatch()
    let watchedBy: Lease | null = null
    let remembered = false
    let place: Parameters<typeof matchMoves>[2] = null
    const places = new Map()
    const every = (seconds: number, loop: string, step: Loop['step']): Loop => ({
      name: loop,
      everyMs: seconds * 1000 * slowness * swarm.paceOf(name, loop),
      dueAt: clockMs(),
      isRunning: false,
      step,
    })
    return [
      every(
        1,
        'send',
        whenDue(
          kindOf('send', id),
          id,
          leased(`send ${id}:${operator}`, (worker) => submitNext(worker, chain, operator!)),
        ),
      ),
      every(3, 'watch', async () => {
        const lease = await leadership.take(`watch ${id}`)
        if (lease !== watchedBy) watch = newWatch()
        watchedBy = lease
        if (lease) await watchSubmitted(systemContext('watcher', { lease }), chain, watch)
      }),
      every(2, 'index', async () => {
        if (!remembered) await rememberOperators(systemContext('indexer'), chain)
        remembered = true
        await leased(`index ${id}`, (worker) => indexOnce(worker, chain))()
      }),
      every(
        2,
        'facts',
        whenDue(kindOf('apply voucher facts', id), id, () => applyVoucherFacts(systemContext('facts'), chain)),
      ),
      every(
        10,
        'adopt',
        whenDue(kindOf('adopt tokens', id), id, async () => {
          await adoptTokens(systemContext('adoption'), chain.network, places)
          place = (await matchMoves(systemContext('adoption'), id, place)).next
        }),
      ),
      every(
        10,
        'recover',
        leased(`recover ${id}`, (worker) => advanceRecoveries(worker, chain)),
      ),
      every(
        2,
        'card provider',
        whenDue(
          'built-in card provider',
          id,
          leased('built-in card provider', () => runSandboxCards(postEvents(scheduler))),
        ),
      ),
      every(1, 'jobs', () => runOneJob()),
      ...TIMERS.flatMap(({ name: timer, run }) => {
        if (!(timer in TIMER_SECONDS)) return []
        const step = leased(timer, run)
        return [every(TIMER_SECONDS[timer]!, timer, isDueKind(timer) ? whenDue(timer, id, step) : step)]
      }),
    ]
  }

  return {
    name,
    process: () => process,
    /** Starts the process. */
    begin(chain: Chain): void {
      loops = loopsOf(chain)
      const own = process
      const hold = async () => {
        leadership = openLeadership(newId())
        await new Promise(() => undefined)
      }
      scheduler.start(own, `${name} leases`, hold, { lasts: true })
    },
    /** Kills the process, and starts another with nothing in memory. Gives the one that is gone. */
    kill(makeChain: () => Chain): Process {
      const gone = process
      gone.isAlive = false
      process = { name: `${name}.${++lives}`, isAlive: true }
      this.begin(makeChain())
      return gone
    },
    /** Kills the process for good. */
    end(): Process {
      process.isAlive = false
      return process
    },
    loops: (): readonly Loop[] => loops,
    /** The loops whose next step may begin. */
    due: (): Loop[] => loops.filter(({ isRunning, dueAt }) => !isRunning && dueAt <= clockMs()),
    run(loop: Loop): void {
      loop.isRunning = true
      scheduler.start(process, `${process.name} ${loop.name}`, async () => {
        try {
          await loop.step()
        } catch {
          // As in lib/worker/loop.ts: a step that fails is tried again.
        } finally {
          loop.isRunning = false
          loop.dueAt = clockMs() + loop.everyMs
        }
      })
    },
  }
}
