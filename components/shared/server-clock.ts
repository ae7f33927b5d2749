/** Every answer's header with the time at which the server began it (lib/platform/http/front-server.ts). */
const HEADER = 'server-time'

/** How far the server's time is ahead of `performance.now()`, which nobody sets. */
let aheadMs: number | null = null

/**
 * The server's time in milliseconds: what opens, ends and is counted down to. A device's own clock may be wrong by
 * hours, so it decides none of it. On the server itself a page has the time from its props.
 */
export const serverNow = (): number => (aheadMs === null ? deviceNow() : aheadMs + performance.now())

/**
 * Takes the time that the server told. What was told arrived later, so the latest of all counts; what a browser had
 * kept of an answer changes nothing.
 * @param atMs when it can have been told at the latest, by `performance.now()`.
 */
export function followServerTime(toldMs: number, atMs = performance.now()): void {
  if (Number.isFinite(toldMs) && toldMs - atMs > (aheadMs ?? -Infinity)) aheadMs = toldMs - atMs
}

/** Takes the server's time from an answer's headers. */
export function followAnswer({ headers }: Response): void {
  const told = headers.get(HEADER)
  if (told !== null) followServerTime(Number(told))
}

/**
 * This device's own clock, for what concerns nobody else: names of files, the age of a draft, how long a page was left.
 */
export const deviceNow = (): number => Date.now()
