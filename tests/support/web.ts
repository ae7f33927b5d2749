import { spawn } from 'node:child_process'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { TestChain } from './chain.ts'
import { followOutput, logLevel } from './process-logs.ts'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Starts a web process on this test file's database and chain; resolves once it listens. Ends with the test at the
 * latest.
 */
export async function spawnWeb(
  testChain: Pick<TestChain, 'env'>,
  { port, env = {} }: { port: number; env?: Record<string, string> },
) {
  const settings = {
    ...process.env,
    ...logLevel(),
    ...testChain.env,
    PORT: String(port),
    ORIGIN: `http://localhost:${port}`,
    ...env,
  }
  const child = spawn(process.execPath, [path.join(root, 'tests/support/web-process.ts')], {
    cwd: root,
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  followOutput(child, settings)
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('exit', (code, signal) => resolve({ code, signal })),
  )
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await new Promise((resolve) => child.once('message', resolve))
  return { child, ended }
}
