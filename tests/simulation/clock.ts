import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { syncBuiltinESMExports } from 'node:module'
import { currentActor, runAs, type Actor } from './scheduler.ts'

/** When every simulated world begins. */
const START_MS = Date.UTC(2026, 0, 5, 12)

let nowMs = START_MS
let order = 0

export const clockMs = (): number => nowMs

/** A timer of an actor. It fires by the simulated clock. */
class SimulatedTimer {
  readonly order = ++order
  at: number
  private readonly everyMs: number | null
  private readonly delayMs: number
  private readonly work: () => void
  readonly actor: Actor

  constructor(actor: Actor, work: () => void, delayMs: number, repeats: boolean) {
    this.actor = actor
    this.work = work
    this.delayMs = Math.max(1, delayMs)
    this.everyMs = repeats ? this.delayMs : null
    this.at = nowMs + this.delayMs
  }
  fire(): void {
    if (this.everyMs === null) pending.delete(this)
    else this.at += this.everyMs
    if (this.actor.process.isAlive) runAs(this.actor, this.work)
    else pending.delete(this)
  }
  ref = () => this
  unref = () => this
  hasRef = () => false
  refresh = () => {
    this.at = nowMs + this.delayMs
    return this
  }
  close = () => {
    pending.delete(this)
    return this
  };
  [Symbol.toPrimitive] = () => -this.order;
  [Symbol.dispose] = () => void pending.delete(this)
}
const pending = new Set<SimulatedTimer>()

/** The time of the next timer; null when there is none. */
export function nextTimerAt(): number | null {
  let next: number | null = null
  for (const { at, actor } of pending) if (actor.process.isAlive && (next === null || at < next)) next = at
  return next
}

/**
 * Moves the clock and fires what is due by then, in order. Code that waits for a timer runs after this has returned.
 */
export function moveClockTo(ms: number): void {
  nowMs = Math.max(nowMs, ms)
  const due = [...pending].filter(({ at }) => at <= nowMs).sort((a, b) => a.at - b.at || a.order - b.order)
  for (const timer of due) timer.fire()
}

type Handler = (...args: unknown[]) => void

/** Replaces the clock and the timers of this process. Timers that no actor sets stay real. */
export function installClock(): void {
  const RealDate = Date
  RealDate.now = () => Math.floor(nowMs)
  const simulated: DateConstructor = new Proxy(RealDate, {
    construct: (target, args: unknown[], made) =>
      Reflect.construct(
        target,
        args.length === 0 ? [Math.floor(nowMs)] : args,
        made === simulated ? target : made,
      ) as Date,
    apply: () => new RealDate(Math.floor(nowMs)).toString(),
  })
  RealDate.prototype.constructor = simulated
  globalThis.Date = simulated
  Object.defineProperty(performance, 'now', { value: () => nowMs - START_MS, configurable: true })

  const real = { setTimeout, setInterval, clearTimeout, clearInterval, wait: timersPromises.setTimeout }
  const timerOf =
    (original: (work: Handler, ms?: number, ...args: unknown[]) => unknown, repeats: boolean) =>
    (work: Handler, ms = 1, ...args: unknown[]): unknown => {
      const actor = currentActor()
      if (!actor) return original(work, ms, ...args)
      const timer = new SimulatedTimer(actor, () => work(...args), ms, repeats)
      pending.add(timer)
      return timer
    }
  const clearOf = (original: (timer: never) => void) => (timer: unknown) =>
    timer instanceof SimulatedTimer ? void timer.close() : original(timer as never)
  const replaced = {
    setTimeout: timerOf(real.setTimeout as never, false),
    setInterval: timerOf(real.setInterval as never, true),
    clearTimeout: clearOf(real.clearTimeout),
    clearInterval: clearOf(real.clearInterval),
  }
  Object.assign(globalThis, replaced)
  Object.assign(timers, replaced)

  type WaitOptions = { signal?: AbortSignal; ref?: boolean }
  const wait = (ms = 1, value?: unknown, options: WaitOptions = {}): Promise<unknown> => {
    const actor = currentActor()
    if (!actor) return real.wait(ms, value, options)
    const { signal } = options
    return new Promise((resolve, reject) => {
      const stop = () => {
        timer.close()
        reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', cause: signal!.reason }))
      }
      const timer = new SimulatedTimer(
        actor,
        () => {
          signal?.removeEventListener('abort', stop)
          resolve(value)
        },
        ms,
        false,
      )
      pending.add(timer)
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop)
    })
  }
  Object.assign(timersPromises, { setTimeout: wait })
  syncBuiltinESMExports()
}
