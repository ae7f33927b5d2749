import fs from 'node:fs'
import type pg from 'pg'

/** The processes of PostgreSQL that serve others of this database. They have to be on this machine. */
export async function backends(db: pg.Client): Promise<number[]> {
  const { rows } = await db.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
  )
  return rows.map(({ pid }) => pid)
}

/** Milliseconds that processes have spent on a processor, by their pids. */
type Times = ReadonlyMap<number, number>

/**
 * What this process and these have spent. What other programs do to the machine doesn't change it much. One that has
 * ended is missing.
 */
export function processorTimes(pids: readonly number[]): Times {
  const { user, system } = process.cpuUsage()
  const times = new Map([[process.pid, (user + system) / 1000]])
  for (const pid of pids) {
    const file = `/proc/${pid}/schedstat`
    // Its first number is the time in nanoseconds.
    if (fs.existsSync(file)) times.set(pid, Number(fs.readFileSync(file, 'utf8').split(' ')[0]) / 1e6)
  }
  return times
}

/** What was spent between two readings. */
export const spentBetween = (before: Times, after: Times): number =>
  [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? ms), 0)
