import type pg from 'pg'
import { realNow } from '../../core/clock.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { rateLimitPool } from '../../db/client.ts'
import { isUnwritable } from '../../db/errors.ts'
import { addPoints, type Counted } from './counted-points.ts'

// A request that only reads should write nothing. So a process takes permits of a window from PostgreSQL in blocks and
// counts them down in memory. Together the processes never grant more than the limit: what a process holds is counted
// as used until the window ends. A client may be refused while other processes hold permits of it, at most a block of
// each less one. Small limits have blocks of one. While the database takes no writes, reads go on: each process then
// counts by itself.

const MOST_IN_BLOCK = 100
/** A block is at most this part of the limit. */
const PARTS = 50
/**
 * Clients that are remembered. Who is forgotten takes another block; what was left of the last one is lost until the
 * window ends.
 */
const MOST_REMEMBERED = 50_000

/** A client's window as a process knows it: permits that it holds, and all that were taken, by whichever process. */
type Window = { held: number; taken: number; endsAt: number; asking: number; answer: Promise<void> | null }
export type Windows = Map<string, Window>

export type Permit = { isGranted: boolean; remaining: number; msToEnd: number }

const windows = oncePerProcess('windows of limits', () => new WeakMap<pg.Pool, Windows>())

/** The windows of this process. */
export function ownWindows(): Windows {
  const known = windows.get(rateLimitPool()) ?? new Map<string, Window>()
  windows.set(rateLimitPool(), known)
  return known
}

/** Takes one of `most` permits that a key has in a window of so many seconds. */
export async function takePermit(windows: Windows, key: string, most: number, seconds: number): Promise<Permit> {
  for (;;) {
    const window = windowOf(windows, key)
    const msToEnd = window.endsAt - realNow().getTime()
    if (msToEnd > 0 && window.held > 0) {
      window.held--
      return { isGranted: true, remaining: Math.max(0, most - window.taken) + window.held, msToEnd }
    }
    if (msToEnd > 0 && window.taken >= most) return { isGranted: false, remaining: 0, msToEnd }
    window.asking++
    await (window.answer ??= askFor(window, key, most, seconds))
  }
}

/** Takes permits for what a key already got, beyond the limit too: then it is refused until its window ends. */
export async function takeAfterwards(windows: Windows, key: string, points: number, seconds: number): Promise<void> {
  const window = windowOf(windows, key)
  const counted = await count(window, key, points, seconds)
  const held = window.endsAt === counted.endsAt ? window.held : 0
  Object.assign(window, { held, taken: counted.points, endsAt: counted.endsAt })
}

function windowOf(windows: Windows, key: string): Window {
  const known = windows.get(key)
  if (known) return known
  const made: Window = { held: 0, taken: 0, endsAt: 0, asking: 0, answer: null }
  if (windows.size >= MOST_REMEMBERED) windows.delete(windows.keys().next().value!)
  windows.set(key, made)
  return made
}

async function count(window: Window, key: string, points: number, seconds: number): Promise<Counted> {
  try {
    return await addPoints(key, points, seconds)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    const at = realNow().getTime()
    const isOpen = window.endsAt > at
    return { points: points + (isOpen ? window.taken : 0), endsAt: isOpen ? window.endsAt : at + seconds * 1000 }
  }
}

/** One statement for all that ask at the moment. */
async function askFor(window: Window, key: string, most: number, seconds: number): Promise<void> {
  await Promise.resolve() // All that ask in the same turn are counted.
  const asked = Math.max(window.asking, Math.min(MOST_IN_BLOCK, Math.floor(most / PARTS)), 1)
  window.asking = 0
  try {
    const { points, endsAt } = await count(window, key, asked, seconds)
    const before = points - asked
    Object.assign(window, { held: Math.max(0, Math.min(asked, most - before)), taken: points, endsAt })
  } finally {
    window.asking = 0 // Who came meanwhile looks what is left, and asks again only without.
    window.answer = null
  }
}
