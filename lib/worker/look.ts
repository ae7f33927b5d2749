import { setTimeout as wait } from 'node:timers/promises'
import { now } from '../core/clock.ts'
import { rowsByKeys } from '../db/scope.ts'
import { JOBS } from '../platform/jobs/jobs.ts'
import { type DueKind, FIND_DUE_KINDS } from './due-kinds.ts'
import { loop } from './loop.ts'

/** How often the worker looks for work while it hears of it, which is the net below that; and while it doesn't. */
const LOOK_MS = 2_000
const DEAF_LOOK_MS = 250
/** Wakes that come within this time after a look share the next one. */
const TOGETHER_MS = 50
/** Without a look for so long, everything is done at its own pace, as if all were due. */
const STALE_MS = 10_000
/** A kind counts as due for so long after its last row was: a claim is over only when the index has its block, too. */
const LINGER_MS: Record<string, number> = { index: 30_000, watch: 10_000 }

/** Tells loops of this worker when there is work for them. */
export type Look = {
  /** Whether a row of this kind is due, by the last look. */
  isDue(kind: string): boolean
  /** Resolves when a look finds a row of this kind that is due, after `ms` milliseconds, or when the signal aborts. */
  untilDue(kind: string, ms: number, signal: AbortSignal): Promise<void>
  /** Has the next look made at once. */
  wake(): void
  /** Resolves when it has ended, after the signal. */
  ended: Promise<void>
}

type Options = {
  networks: readonly number[]
  /** Whether this worker hears of work. */
  hears: () => boolean
  signal: AbortSignal
  find?: () => Promise<DueKind[]>
}

/**
 * Looks in one statement which kinds of work have rows that are due, and when the next ones are: after each wake, at
 * the next of those times, and every few seconds in any case, so that nothing depends on a wake that is lost.
 */
export function openLook({ networks, hears, signal, find = () => findDueKinds(networks) }: Options): Look {
  /** By a clock that isn't set: until when each kind counts as due. Infinity: by the last look it is. */
  const due = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  let staleMs = 0
  let woken = Promise.withResolvers<void>()

  const release = (kind: string): void => {
    for (const resume of waiting.get(kind) ?? []) resume()
  }
  let stale: NodeJS.Timeout | undefined
  const followStaleness = (): void => {
    staleMs = performance.now() + STALE_MS
    clearTimeout(stale)
    stale = setTimeout(() => [...waiting.keys()].forEach(release), STALE_MS).unref()
  }

  const look = async (): Promise<number> => {
    woken = Promise.withResolvers()
    const found = await find()
    const nowMs = now().getTime()
    const current = found.filter(({ at }) => at <= nowMs).map(({ kind }) => kind)
    for (const [kind, untilMs] of due)
      if (untilMs === Infinity && !current.includes(kind)) due.set(kind, performance.now() + lingerOf(kind))
    for (const kind of current) due.set(kind, Infinity)
    followStaleness()
    current.forEach(release)
    const nextMs = Math.min(...found.map(({ at }) => at - nowMs).filter((ms) => ms > 0))
    return Math.min(Math.ceil(nextMs), hears() ? LOOK_MS : DEAF_LOOK_MS)
  }

  const pause = async (ms: number): Promise<void> => {
    const ending = new AbortController()
    const either = AbortSignal.any([signal, ending.signal])
    await wait(Math.min(ms, TOGETHER_MS), undefined, { signal }).catch(() => undefined)
    await Promise.race([woken.promise, wait(ms - TOGETHER_MS, undefined, { signal: either }).catch(() => undefined)])
    ending.abort()
  }

  return {
    isDue: (kind) => performance.now() > staleMs || (due.get(kind) ?? 0) > performance.now(),
    async untilDue(kind, ms, until) {
      if (until.aborted) return
      const resumes = waiting.get(kind) ?? new Set()
      waiting.set(kind, resumes)
      const { promise: found, resolve } = Promise.withResolvers<void>()
      const end = () => resolve()
      const timer = setTimeout(end, ms)
      until.addEventListener('abort', end)
      resumes.add(end)
      await found
      clearTimeout(timer)
      until.removeEventListener('abort', end)
      resumes.delete(end)
    },
    wake: () => woken.resolve(),
    ended: loop('look for work', signal, look, { pause }),
  }
}

/** Some work is done a little longer than it has rows: the kinds of networks are named with their network. */
const lingerOf = (kind: string): number => LINGER_MS[kind.split(' ')[0]!] ?? 0

const JOB_NAMES = JOBS.map(({ name }) => name)

/** When the next row of each kind of work is due. */
export const findDueKinds = (networks: readonly number[]): Promise<DueKind[]> =>
  rowsByKeys<DueKind>(FIND_DUE_KINDS, [...networks], JOB_NAMES)
