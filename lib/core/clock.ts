import { oncePerProcess } from './once-per-process.ts'

/** Gives the current time. Tests move it, so business code reads the time only through a Clock. */
export type Clock = () => Date

let offsetMs = 0

/** How far business time is ahead of real time: only in a sandbox whose clock was advanced. */
const business = oncePerProcess('business time', () => ({ aheadMs: 0 }))

/** Business time: what expires, opens and is due. */
export const now: Clock = () => new Date(Date.now() + offsetMs + business.aheadMs)

/** Real time, also in a sandbox whose clock was advanced: leases, limits, and signatures that others compare with their clock. */
export const realNow: Clock = () => new Date(Date.now() + offsetMs)

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
