import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { randomOf, type Random } from './random.ts'

/** Something that can be killed as a whole: a web process, a worker, the world of the buyers. */
export type Process = { readonly name: string; isAlive: boolean }
/** One course of events within a process: a request, a step of a loop. */
export type Actor = { readonly name: string; readonly process: Process; readonly random: Random }

/** The process of this actor was killed: nothing it does has an effect any more. */
export class Killed extends Error {
  constructor() {
    super('Connection terminated: the simulated process was killed.')
  }
}

type Waiting = {
  round: number
  actor: Actor
  what: string
  faults: readonly string[]
  go: (fault: string | null) => void
}

const current = new AsyncLocalStorage<Actor>()
/** Whoever does this now; undefined outside of the simulation, such as while it is set up. */
export const currentActor = (): Actor | undefined => current.getStore()
export const runAs = <T>(actor: Actor, work: () => T): T => current.run(actor, work)
/** What the simulation does for itself waits for nobody. */
export const runOutside = <T>(work: () => T): T => current.exit(work)

const real = { setImmediate, setTimeout, clearTimeout }
const turn = () => new Promise<void>((resolve) => void real.setImmediate(resolve))
/** What keeps a process open without being on its way to an answer. */
const PASSIVE = new Set([
  'TCPSocketWrap',
  'TCPServerWrap',
  'PipeWrap',
  'TTYWrap',
  'Timeout',
  'Immediate',
  'MessagePort',
  'ProcessWrap',
  'SignalWrap',
  'TickObject',
])
/** Turns of the event loop without anything new after which nothing goes on by itself. */
const QUIET_TURNS = 3
/** After this long without an answer it is looked whether a statement waits for a lock. */
const PATIENCE_MS = 8

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export type Scheduler = ReturnType<typeof makeScheduler>

/**
 * Decides who goes on. Whatever an actor does to the outside waits here until it is chosen; one thing is done at a
 * time, and the next is chosen when nothing goes on by itself any more. All choices come from the seed.
 */
export function makeScheduler(seed: number, { clock, printed }: { clock: () => number; printed: boolean }) {
  const random = randomOf('scheduler', seed)
  const hash = createHash('sha256')
  let steps = 0
  let started = 0
  let rounds = 0
  let waiting: Waiting[] = []
  let running: Actor[] = []
  /** Work outside of the process that is on its way to an answer. */
  let underway = 0
  let answered = () => undefined as void
  const counts = new Map<string, number>()

  const note = (who: string, what: string): void => {
    const line = `${clock()} ${who}: ${what}`
    hash.update(`${line}\n`)
    if (printed) process.stdout.write(`${steps} ${line.length > 400 ? `${line.slice(0, 400)}…` : line}\n`)
  }
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

  /** Whether an answer came within a moment. */
  const hasAnswered = () =>
    new Promise<boolean>((resolve) => {
      const timer = real.setTimeout(() => resolve(false), PATIENCE_MS)
      answered = () => {
        real.clearTimeout(timer)
        resolve(true)
      }
    })

  return {
    random,
    note,
    count,
    counts,
    steps: () => steps,
    traceHash: () => hash.copy().digest('hex').slice(0, 16),
    waiting: (): readonly Waiting[] => waiting,
    runningIn: (of: Process): number => running.filter(({ process }) => process === of).length,
    running: () => running.length,
    names: () => running.map(({ name }) => name),

    /** Starts an actor, which must not throw. One that `lasts` goes on as long as its process and isn't counted. */
    start(of: Process, name: string, work: () => Promise<void>, { lasts = false } = {}): void {
      const actor: Actor = { name: `${name}#${++started}`, process: of, random: randomOf('actor', seed, name, started) }
      if (!lasts) running.push(actor)
      runAs(actor, () => {
        void work().finally(() => (running = running.filter((other) => other !== actor)))
      })
    },

    /** Waits until this actor is chosen to go on. Gives the fault that befalls what it does, or null. Throws Killed. */
    ask(actor: Actor, what: string, faults: readonly string[] = []): Promise<string | null> {
      if (!actor.process.isAlive) return Promise.reject(new Killed())
      return new Promise((resolve, reject) => {
        const entry: Waiting = {
          round: rounds,
          actor,
          what,
          faults,
          go: (fault) => (actor.process.isAlive ? resolve(fault) : reject(new Killed())),
        }
        waiting.push(entry)
      })
    },

    /** Lets one of those that wait go on. */
    release(entry: Waiting, fault: string | null): void {
      steps++
      waiting = waiting.filter((other) => other !== entry)
      note(entry.actor.name, fault ? `${entry.what} [${fault}]` : entry.what)
      if (fault) count(fault)
      entry.go(fault)
    },

    /** Ends everything that an actor of a killed process waits for. */
    dropKilled(): void {
      const dead = waiting.filter(({ actor }) => !actor.process.isAlive)
      waiting = waiting.filter(({ actor }) => actor.process.isAlive)
      running = running.filter(({ process }) => process.isAlive)
      for (const { go } of dead) go(null)
    },

    begin: () => void underway++,
    end(): void {
      underway--
      answered()
    },

    /**
     * Resolves when nothing goes on by itself any more. `stuck` is called while something outside hasn't answered for a
     * moment.
     */
    async quiet(stuck: () => Promise<void>): Promise<void> {
      for (let turns = 0; turns < QUIET_TURNS;) {
        await turn()
        if (underway > 0) {
          turns = 0
          if (!(await hasAnswered())) await stuck()
        } else turns = process.getActiveResourcesInfo().some((kind) => !PASSIVE.has(kind)) ? 0 : turns + 1
      }
      rounds++
      // Which of several connections opened first is chance: those that came together wait in the order of their names.
      waiting.sort((a, b) => a.round - b.round || compare(a.actor.name, b.actor.name) || compare(a.what, b.what))
    },
  }
}
