import type { DatabaseGate } from './database.ts'
import { clockMs, moveClockTo, nextTimerAt } from './clock.ts'
import { BLOCK_MS, type SimulatedNetwork } from './network.ts'
import type { People } from './people.ts'
import type { Random } from './random.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { makeChain } from './set-up.ts'
import type { Swarm } from './swarm.ts'
import type { Web } from './web.ts'
import type { SimulatedWorker } from './workers.ts'

export type Parts = {
  scheduler: Scheduler
  gate: DatabaseGate
  network: SimulatedNetwork
  people: People
  web: Web
  workers: SimulatedWorker[]
  swarm: Swarm
}

/** At most so many things are under way at once, so that each of them gets on. */
const MOST_RUNNING = 14
/** What a step takes, in milliseconds of simulated time. */
const STEP_MS = 4
/** How likely time passes where it could, while others are in the middle of something. */
const JUMPS = 0.1
/** How likely a story begins, compared with one loop that is due. */
const STORY_WEIGHT = 6
/**
 * Those who wait until the last moment find a storm that has gone on for this long after a long time without anything.
 */
const LEAP_BEFORE_MS = 5_000

/** Waits until nothing goes on by itself, and lets go on what got its lock. */
async function rest({ scheduler, gate }: Parts): Promise<void> {
  await scheduler.quiet(gate.findBlocked)
  while (await gate.wakeBlocked()) await scheduler.quiet(gate.findBlocked)
}

export async function endProcess({ scheduler, gate }: Parts, gone: Process): Promise<void> {
  scheduler.count(`killed: ${gone.name.split(/[-.]/)[0]}`)
  scheduler.note('scheduler', `kills ${gone.name}`)
  await gate.cutAll(gone)
  scheduler.dropKilled()
}

type Storm = {
  /** Simulated seconds. */
  seconds: number
  stories: number
  /** How likely a step goes wrong, and how likely a process is killed before a step. */
  faults: number
  kills: number
}

/** What a storm is like comes from the seed too: some are calm, some are all faults. */
export const stormOf = (random: Random): Storm => ({
  seconds: random.pick([30, 60]),
  stories: 10 + random.below(16),
  faults: random.pick([0, 0.01, 0.04]),
  kills: random.pick([0, 0.0005, 0.002]),
})

/** The time in which everything happens at once and anything may fail. */
export async function runStorm(parts: Parts, { seconds, stories, faults, kills }: Storm): Promise<void> {
  const { scheduler, network, people, web, workers, swarm } = parts
  const { random } = scheduler
  let end = clockMs() + seconds * 1000
  let leapAt = clockMs() + seconds * 600
  let left = stories
  let nextBlockAt = clockMs() + BLOCK_MS
  network.startLying()
  while (clockMs() < end) {
    await rest(parts)
    moveClockTo(clockMs() + STEP_MS)
    while (clockMs() >= nextBlockAt) {
      nextBlockAt += random.pick([BLOCK_MS / 2, BLOCK_MS, BLOCK_MS * 2])
      await network.mine()
    }
    if (clockMs() >= leapAt) {
      leapAt = Infinity
      const leap = (people.nextLate() ?? 0) - LEAP_BEFORE_MS - clockMs()
      if (leap > 0) {
        scheduler.note('scheduler', `lets ${leap} ms pass at once`)
        moveClockTo(clockMs() + leap)
        nextBlockAt = clockMs()
        end = clockMs() + seconds * 600
      }
    }
    if (random.chance(kills)) {
      const at = random.below(workers.length + 1)
      await endProcess(parts, at === workers.length ? web.kill() : workers[at]!.kill(makeChain))
      continue
    }
    const waiting = scheduler.waiting()
    const due =
      scheduler.running() < MOST_RUNNING
        ? workers.flatMap((worker) => worker.due().map((loop) => ({ worker, loop })))
        : []
    const mayBegin = left > 0 && scheduler.runningIn(people.process) < MOST_RUNNING
    const begins = mayBegin ? STORY_WEIGHT : 0
    const choice = random.below(waiting.length * 4 + due.length + begins + 1)
    if (choice < waiting.length * 4) {
      const entry = waiting[Math.floor(choice / 4)]!
      const possible = entry.faults.filter(swarm.has)
      const fault = possible.length > 0 && random.chance(faults) ? random.pick(possible) : null
      scheduler.release(entry, fault)
    } else if (choice < waiting.length * 4 + due.length) {
      const { worker, loop } = due[choice - waiting.length * 4]!
      worker.run(loop)
    } else if (choice < waiting.length * 4 + due.length + begins) {
      left--
      people.begin(random)
    } else if (waiting.length === 0) moveClockTo(Math.min(nextTimerAt() ?? Infinity, nextBlockAt, clockMs() + 500))
    else if (random.chance(JUMPS)) moveClockTo(clockMs() + random.below(random.pick([20, 200, 2_000])))
  }
  network.stopLying()
}

const MOST_STEPS = 20_000

/** Lets everything that was begun come to its end, without faults. */
export async function finish(parts: Parts): Promise<void> {
  const { scheduler } = parts
  for (let steps = 0; ; steps++) {
    await rest(parts)
    const [entry] = scheduler.waiting()
    if (entry) scheduler.release(entry, null)
    else if (scheduler.running() === 0) return
    else moveClockTo(Math.max(clockMs() + 50, Math.min(nextTimerAt() ?? 0, clockMs() + 5_000)))
    if (steps === MOST_STEPS) throw new Error(`These never end: ${scheduler.names().join(', ')}.`)
  }
}
