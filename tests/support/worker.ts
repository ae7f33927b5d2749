import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { CrashPoint } from '../../lib/core/crash.ts'
import type { TestChain } from './chain.ts'
import { atFileEnd } from './file-end.ts'

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
  /** Takes what the process writes, in place of this process's output. */
  lines?: string[]
}

/** Starts the real worker process on this test file's database and, if given, chain. Ends with the test at the latest. */
export function spawnWorker(
  testChain: { env: Partial<TestChain['env']> },
  { crashAt, stopAt, env = {}, lines }: Options = {},
): TestWorker {
  const child = spawn(process.execPath, [path.join(root, 'scripts/worker.ts')], {
    cwd: root,
    env: {
      ...process.env,
      ...testChain.env,
      ...(crashAt && { CRASH_AT: crashAt }),
      ...(stopAt && { STOP_AT: stopAt }),
      ...env,
    },
    stdio: ['ignore', lines ? 'pipe' : 'inherit', lines ? 'pipe' : 'inherit', 'ipc'],
  })
  for (const stream of lines ? [child.stdout!, child.stderr!] : [])
    createInterface({ input: stream }).on('line', (line) => void lines!.push(line))
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
