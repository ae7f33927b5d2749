import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { CrashPoint } from '../../lib/core/crash.ts'
import type { TestChain } from './chain.ts'
import { atFileEnd } from './file-end.ts'
import { followOutput, logLevel } from './process-logs.ts'

const root = path.resolve(import.meta.dirname, '../..')

export type TestWorker = {
  child: ChildProcess
  ended: Promise<{ code: number | null; signal: string | null }>
  stop(): Promise<{ code: number | null; signal: string | null }>
}

type Options = {
  crashAt?: CrashPoint
  stopAt?: CrashPoint
  env?: Record<string, string>
  /** Gets what the process writes, line by line. */
  lines?: string[]
}

/**
 * Starts the real worker process on this test file's database and, if given, chain. Ends with the test at the latest.
 */
export function spawnWorker(
  testChain: { env: Partial<TestChain['env']> },
  { crashAt, stopAt, env = {}, lines }: Options = {},
): TestWorker {
  const settings = {
    ...process.env,
    ...logLevel(),
    ...testChain.env,
    ...(crashAt && { CRASH_AT: crashAt }),
    ...(stopAt && { STOP_AT: stopAt }),
    ...env,
  }
  const child = spawn(process.execPath, [path.join(root, 'scripts/worker.ts')], {
    cwd: root,
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  followOutput(child, settings, lines)
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  )
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  // One that was started too late for that hook ends with the file.
  atFileEnd(() => child.kill('SIGKILL'))
  return { child, ended, stop }
}
