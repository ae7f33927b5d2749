import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { atFileEnd } from '../../support/file-end.ts'
import { followOutput, logLevel } from '../../support/process-logs.ts'
import type { Kind, Order } from './process.ts'

export type Running = {
  child: ChildProcess
  ended: Promise<{ signal: string | null; code: number | null }>
}

export const NOTHING: Order = { crashAt: '', stopAt: [] }

/** Starts a process that loads its code and waits for its first order. It ends with the test file at the latest. */
export function load(kind: Kind, env: NodeJS.ProcessEnv, nodeArgs: string[] = []): Running {
  const child = spawn(process.execPath, [...nodeArgs, path.join(import.meta.dirname, 'process.ts'), kind], {
    env: { ...env, ...logLevel() },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  followOutput(child, env)
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<Running['ended']>>()
  child.on('exit', (code, signal) => resolve({ code, signal }))
  child.on('error', () => undefined) // a message to one that has just died
  atFileEnd(() => child.kill('SIGKILL'))
  return { child, ended }
}

/** Tells a process its crash points; the first order has it begin. Resolves when it knows them, or has ended. */
export async function arm({ child, ended }: Running, order: Order): Promise<void> {
  const { promise: armed, resolve } = Promise.withResolvers<void>()
  const hear = (message: unknown) => message === 'armed' && resolve()
  child.on('message', hear)
  child.send(order)
  await Promise.race([armed, ended])
  child.off('message', hear)
}

export const isAlive = ({ child }: Running): boolean => child.exitCode === null && child.signalCode === null

/** The bytes that a process started with --expose-gc has in use. */
export async function memoryOf({ child, ended }: Running): Promise<number> {
  const { promise: told, resolve } = Promise.withResolvers<number>()
  const hear = (message: unknown) => {
    if (typeof message === 'object' && message && 'bytes' in message) resolve(message.bytes as number)
  }
  child.on('message', hear)
  child.send('memory')
  const bytes = await Promise.race([told, ended.then(() => 0)])
  child.off('message', hear)
  return bytes
}
