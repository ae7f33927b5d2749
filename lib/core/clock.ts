/** Gives the current time. Tests move it, so business code reads the time only through a Clock. */
export type Clock = () => Date

let offsetMs = 0

export const now: Clock = () => new Date(Date.now() + offsetMs)

/** Moves the clock of this process, for tests. */
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
