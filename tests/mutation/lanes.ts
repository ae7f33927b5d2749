import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { root } from './areas.ts'
import type { Order, Verdict } from './lane.ts'

/** Noted in place of a test's name. */
export const NOT_LOADED = 'The file can’t be loaded.'

export type Lane = {
  run: (order: Order, limitMs: number) => Promise<Verdict | 'timed out'>
  close: () => Promise<void>
}

/**
 * A process that runs tests of one mutant after the other. One that takes too long is killed with all it started, and
 * another one begins.
 */
export function openLane(): Lane {
  let child: Promise<ChildProcess> | null = null
  const ended = (one: ChildProcess) => new Promise<void>((resolve) => one.once('exit', () => resolve()))
  return {
    async run(order, limitMs) {
      const one = await (child ??= startLane())
      const answer = new Promise<Verdict>((resolve, reject) => {
        one.once('message', resolve as (message: unknown) => void)
        one.once('exit', () => reject(new Error('The process of the tests ended by itself.')))
      })
      one.send(order)
      const late = Promise.withResolvers<'timed out'>()
      const timer = setTimeout(() => late.resolve('timed out'), limitMs)
      try {
        const verdict = await Promise.race([answer, late.promise])
        if (verdict === 'timed out') {
          answer.catch(() => undefined)
          child = null
          const end = ended(one)
          process.kill(-one.pid!, 'SIGKILL')
          await end
        }
        return verdict
      } catch (error) {
        child = null
        return { by: { file: 'the run', test: (error as Error).message }, ran: 0 }
      } finally {
        clearTimeout(timer)
        one.removeAllListeners('message').removeAllListeners('exit')
      }
    },
    async close() {
      const one = await child
      if (!one) return
      const end = ended(one)
      one.send('end')
      await end
    },
  }
}

function startLane(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'lane.ts')], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'silent' },
  })
  return new Promise((resolve, reject) => {
    child.once('message', () => {
      child.removeAllListeners('exit')
      resolve(child)
    })
    child.once('exit', (code) => reject(new Error(`The process of the tests ended at its start (${code}).`)))
  })
}
