import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import fs from 'node:fs'
import os from 'node:os'

/** A sum of processor time. `seconds` is null where the system doesn't say. */
type Used = { seconds: number | null }

const TICKS_PER_SECOND = 100 // of Linux's accounts, on every architecture

/** What the ended processes have used that this one has started, with all that they started themselves. */
function secondsOfEnded(): number | null {
  try {
    const fields = fs
      .readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  } catch {
    return null
  }
}

const counting = new AsyncLocalStorage<Used>()
let counted = secondsOfEnded()

// A process enters the account when it has ended, so what is new then is its own.
subscribe('child_process', (message) => {
  const used = counting.getStore()
  const { process: child } = message as { process: ChildProcess }
  child.once('exit', () => {
    const now = secondsOfEnded()
    if (now === null || counted === null) return
    if (used) used.seconds = (used.seconds ?? 0) + now - counted
    counted = now
  })
})

/** Does some work, and counts the processor time of the processes that it starts and that end meanwhile. */
export async function countingProcessorTime<T>(work: () => Promise<T>): Promise<[result: T, used: Used]> {
  const used: Used = { seconds: null }
  return [await counting.run(used, work), used]
}

/** The seconds in which the machine's cores were busy, whoever used them, since it was started. */
export const secondsBusy = (): number =>
  os.cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000
