import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { stopChild } from '../launcher/processes.ts'

/** `output`: without colours, the last million characters. */
export type Ended = { command: string; code: number; output: string }

const root = path.resolve(import.meta.dirname, '../..')
const running = new Set<ChildProcess>()

const NICE = 10

/** Lets a process use only what others leave of the cores. */
function giveWay(pid: number): void {
  try {
    os.setPriority(pid, NICE)
    // Some Linux systems share the cores among sessions first, and each program here has its own.
    fs.writeFileSync(`/proc/${pid}/autogroup`, String(NICE))
  } catch {
    // It has ended, or the system has no such groups.
  }
}

/**
 * Runs a program in the repository's folder and shows each line it writes, after a label. The path has the packages'
 * programs. `givesWay`: it uses only what others leave of the cores.
 */
export async function runShown(
  label: string,
  [program, ...args]: [string, ...string[]],
  { settings = {}, givesWay = false }: { settings?: Record<string, string>; givesWay?: boolean } = {},
): Promise<Ended> {
  const colours = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}
  const child = spawn(program, args, {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
      ...colours,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  if (givesWay && child.pid) giveWay(child.pid)
  let output = ''
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    createInterface({ input: from }).on('line', (line) => {
      output = `${output}${line}\n`.slice(-1_000_000)
      to.write(`${label}${line}\n`)
    })
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      console.error(`${label}${program} can't be started: ${error.message}`)
      resolve(1)
    })
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  running.delete(child)
  return { command: [program, ...args].join(' '), code, output: output.replace(/\u001b\[[0-9;]*m/g, '') }
}

/** Ends what runs. By this signal Playwright stops the stack that it started, too. */
export const endShown = () => Promise.all([...running].map((child) => stopChild(child, 'SIGINT', 15_000)))
