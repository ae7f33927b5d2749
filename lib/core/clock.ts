import { oncePerProcess } from './once-per-process.ts'

/** Gives the current time. Tests move it, so business code reads the time only through a Clock. */
export type Clock = () => Date

let offsetMs = 0

/** How far business time is ahead of real time: only in a sandbox whose clock was advanced. */
const business = oncePerProcess('business time', () => ({ aheadMs: 0 }))

/** A measurement of PostgreSQL's clock. `atMs`: when it was made, by a clock of this process that nobody sets. */
type Reading = { serverMs: number; atMs: number }
const server = oncePerProcess<{ reading: Reading | null }>('server time', () => ({ reading: null }))

/** The time of this host's own clock, which may be wrong: only to be compared with PostgreSQL's. */
export const hostTime = (): number => Date.now()

/** PostgreSQL's time, in milliseconds since 1970; that of this host until it is measured (lib/db/measure-clock.ts). */
export const serverTime = (): number =>
  server.reading ? server.reading.serverMs + performance.now() - server.reading.atMs : hostTime()

/** Business time: what expires, opens and is due. */
export const now: Clock = () => new Date(serverTime() + offsetMs + business.aheadMs)

/**
 * Real time, also in a sandbox whose clock was advanced: leases, limits, and signatures that others compare with their
 * clock.
 */
export const realNow: Clock = () => new Date(serverTime() + offsetMs)

/**
 * PostgreSQL's clock was read. What differs no more than the reading may err stays, so that time doesn't step back at
 * each reading.
 */
export function followServerTime(reading: Reading, errorMs: number): void {
  const known = server.reading
  const differenceMs = known ? reading.serverMs - known.serverMs - (reading.atMs - known.atMs) : Infinity
  if (Math.abs(differenceMs) > errorMs) server.reading = reading
}

/** Has business time run so far ahead of real time in this process. */
export function setBusinessTimeAhead(ms: number): void {
  business.aheadMs = ms
}

/** Moves both clocks of this process, for tests. */
export function moveClock(ms: number): void {
  offsetMs += ms
}

export function resetClock(): void {
  offsetMs = 0
}

export const secondsFrom = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000)
export const MINUTE = 60
export const HOUR = 3600
export const DAY = 86_400
