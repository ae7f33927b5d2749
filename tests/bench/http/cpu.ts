import fs from 'node:fs'

const TICKS_PER_SECOND = 100

type Stat = { parent: number; ticks: number; ticksOfEnded: number }

/** Reads /proc/<pid>/stat; the program's name may contain spaces and brackets. */
function statOf(pid: number): Stat | null {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number)
    return { parent: Number(fields[1]), ticks: user! + system!, ticksOfEnded: endedUser! + endedSystem! }
  } catch {
    return null // it has ended
  }
}

/**
 * The seconds of processor time that a process has used so far; with its children where it works through them, as
 * PostgreSQL does.
 */
export function cpuSeconds(pid: number, { children = false } = {}): number {
  const own = statOf(pid)
  if (!own) return 0
  let ticks = own.ticks
  if (children) {
    ticks += own.ticksOfEnded
    for (const name of fs.readdirSync('/proc')) {
      const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
      if (stat?.parent === pid) ticks += stat.ticks
    }
  }
  return ticks / TICKS_PER_SECOND
}

/** Resident memory in MB. */
export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
