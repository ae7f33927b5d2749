import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { logFailing } from '../../db/log-failing.ts'

/** Rows that several processes lease and work on at the same time. */
export type DueWork = {
  /** Leases due rows, as many as there is room for, and begins to work on them. Returns their number. */
  begin(): Promise<number>
  /** Resolves when the work on a row ends; never while there is none. */
  next(): Promise<void>
  /** Resolves when all work that was begun has ended. */
  idle(): Promise<void>
}

/** `busy`: how many rows of each owner are in work. */
export type Room = { max: number; busy: ReadonlyMap<string, number> }

type Options<T> = {
  /** Rows that one process works on at once. */
  max: number
  lease: (room: Room) => Promise<T[]>
  /** Whose row it is. Leases are given by owner, so that a slow one doesn't delay the others. */
  ownerOf: (row: T) => string
  work: (row: T) => Promise<void>
  /** The message of the log line when `work` throws. */
  failure: string
}

/** Works on leased rows concurrently and counts those in work for each owner. */
export function openDueWork<T extends { id: string; requestId?: string | null }>({
  max,
  lease,
  ownerOf,
  work,
  failure,
}: Options<T>): DueWork {
  const busy = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const count = (owner: string, change: 1 | -1) => {
    const now = (busy.get(owner) ?? 0) + change
    if (now > 0) busy.set(owner, now)
    else busy.delete(owner)
  }

  async function begin(): Promise<number> {
    const room = max - running.size
    const rows = room > 0 ? await lease({ max: room, busy }) : []
    for (const row of rows) {
      count(ownerOf(row), 1)
      const run: Promise<void> = work(row)
        .catch((error: unknown) =>
          // A database that is away is no row's own failure.
          isDatabaseDown(error)
            ? logFailing('due work', error, failure)
            : log.error({ error, id: row.id, requestId: row.requestId }, failure),
        )
        .finally(() => {
          count(ownerOf(row), -1)
          running.delete(run)
        })
      running.add(run)
    }
    return rows.length
  }

  return {
    begin,
    next: () => Promise.race(running),
    idle: async () => void (await Promise.all(running)),
  }
}
