// One command at a time: a lock file with the process that has it. Plain JavaScript, since it also runs before packages
// are installed, under the machine's own Node.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * A process identified by pid and start time, since the pid may be reused by another program.
 * @typedef {{ pid: number, started: string }} Trace
 */

/**
 * @param {number} pid
 * @returns {Trace | null} null: there is no such process
 */
export function traceOf(pid) {
  const started = startOf(pid)
  return started ? { pid, started } : null
}

/** @param {Trace} trace */
export const isAlive = (trace) => startOf(trace.pid) === trace.started

/**
 * @param {number} pid
 * @returns {string | null}
 */
function startOf(pid) {
  if (process.platform === 'linux') {
    try {
      const fields = fs
        .readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return fields[0] === 'Z' ? null : (fields[19] ?? null)
    } catch {
      return null
    }
  }
  const answer = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return answer.error ? null : answer.stdout.trim() || null
}

/**
 * Waits for a lock file and makes it. A dead process's lock is taken over.
 * @param {string} file
 * @param {() => void} [onWait] called once, when another process has it
 * @returns {Promise<() => void>} gives the lock back
 */
export async function acquireLock(file, onWait = () => {}) {
  // The file appears with its content, so that nobody takes an empty one for a dead process's.
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify(traceOf(process.pid)))
  try {
    for (let waits = false; ;) {
      try {
        fs.linkSync(draft, file)
        return () => fs.rmSync(file, { force: true })
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      }
      if (!holderOf(file)) {
        fs.rmSync(file, { force: true })
        continue
      }
      if (!waits) onWait()
      waits = true
      await wait(200)
    }
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/**
 * @param {string} file
 * @returns {Trace | null} null: its process is gone
 */
function holderOf(file) {
  try {
    /** @type {Trace} */
    const trace = JSON.parse(fs.readFileSync(file, 'utf8'))
    return isAlive(trace) ? trace : null
  } catch {
    return null
  }
}
