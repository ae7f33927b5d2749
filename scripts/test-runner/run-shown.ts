import { type ChildProcess, spawn } from 'node:child_process'
import { stopChild } from '../launcher/processes.ts'

export type Shown = { code: number; /** All it said, without colours. */ output: string }

const running = new Set<ChildProcess>()

/** Runs a program, passes everything it says on to the terminal as it comes, and keeps it as well. */
export async function runShown(
  command: string,
  args: string[],
  cwd: string,
  settings: Record<string, string> = {},
): Promise<Shown> {
  const colours = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...colours, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let output = ''
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    from.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-1_000_000)
      to.write(chunk)
    })
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      console.error(`${command} can't be started: ${error.message}`)
      resolve(1)
    })
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  running.delete(child)
  return { code, output: output.replace(/\u001b\[[0-9;]*m/g, '') }
}

export const endShown = () => Promise.all([...running].map((child) => stopChild(child, 'SIGTERM', 15_000)))
