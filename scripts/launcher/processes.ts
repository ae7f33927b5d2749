import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isAlive, type Trace } from './file-lock.mjs'

export type Program = {
  name: string
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  cwd: string
  uid?: number | undefined
  gid?: number | undefined
  /** The signal to stop it with; SIGTERM unless given. */
  stopSignal?: NodeJS.Signals
  /** A Node program of ours: it gets an IPC channel and stops by itself when that closes. */
  channel?: boolean
  /** Where its output goes: a file, or this terminal. */
  output: string | 'terminal'
  /** Runs before every start, also before restarts. */
  prepare?: () => Promise<void> | void
}

export type Running = { name: string; pid: () => number | null; stop: () => Promise<void> }

const FIRST_DELAY_MS = 200
const MAX_DELAY_MS = 5_000
/** After this long a restarted program counts as stable, and the delay starts over. */
const STABLE_AFTER_MS = 10_000

/** Starts a program and restarts it whenever it ends by itself. `changed` is called whenever there is a new process. */
export async function supervise(program: Program, changed: () => void, say: (line: string) => void): Promise<Running> {
  let child: ChildProcess | null = null
  let stopping = false
  let delay = FIRST_DELAY_MS
  let again: NodeJS.Timeout | null = null

  const start = async () => {
    await program.prepare?.()
    if (stopping) return
    const started = Date.now()
    child = spawnProgram(program)
    child.once('exit', (code, signal) => {
      child = null
      if (stopping) return
      if (Date.now() - started > STABLE_AFTER_MS) delay = FIRST_DELAY_MS
      say(`${program.name} ended (${signal ?? `exit code ${code}`}); starting it again.`)
      plan()
    })
    child.once('error', (error) => say(`${program.name} can't be started: ${error.message}`))
    changed()
  }
  const plan = () => {
    again = setTimeout(() => {
      start().catch((error: Error) => {
        say(`${program.name} can't be started: ${error.message}`)
        if (!stopping) plan()
      })
    }, delay)
    delay = Math.min(delay * 2, MAX_DELAY_MS)
  }
  await start()
  return {
    name: program.name,
    pid: () => child?.pid ?? null,
    stop: async () => {
      stopping = true
      if (again) clearTimeout(again)
      if (child) await stopChild(child, program.stopSignal ?? 'SIGTERM')
    },
  }
}

/**
 * Starts a program once, in its own process group, so that Ctrl-C reaches only the launcher, which stops programs in
 * order.
 */
export function spawnProgram(program: Program): ChildProcess {
  const output = program.output === 'terminal' ? 'inherit' : fs.openSync(program.output, 'a')
  const [command, ...args] = program.channel
    ? [program.command, ...program.args]
    : [...parentDeathSignal(program.stopSignal ?? 'SIGTERM'), program.command, ...program.args]
  const child = spawn(command!, args, {
    cwd: program.cwd,
    env: program.env,
    detached: true,
    stdio: ['ignore', output, output, ...(program.channel ? (['ipc'] as const) : [])],
    ...(program.uid === undefined ? {} : { uid: program.uid, gid: program.gid }),
  })
  if (typeof output === 'number') fs.closeSync(output)
  return child
}

/**
 * On Linux the kernel signals PostgreSQL and the chain when the launcher is killed. Elsewhere the next start stops
 * them.
 */
function parentDeathSignal(signal: NodeJS.Signals): string[] {
  hasSetpriv ??= spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0
  return hasSetpriv ? ['setpriv', '--pdeathsig', signal.slice(3)] : []
}
let hasSetpriv: boolean | undefined

/** Sends the signal, and SIGKILL when the process still runs after `timeoutMs`. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals, timeoutMs = 10_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await gone
  clearTimeout(kill)
}

/** Stops a process that an earlier launcher left running: with the signal, then with SIGKILL. */
export async function stopLeftover(trace: Trace, signal: NodeJS.Signals, timeoutMs = 8_000): Promise<void> {
  for (const [kind, timeout] of [
    [signal, timeoutMs],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isAlive(trace)) return
    try {
      process.kill(trace.pid, kind)
    } catch {
      return
    }
    for (const until = Date.now() + timeout; isAlive(trace) && Date.now() < until;) await wait(50)
  }
}

/** Waits until `test` gives true. Throws after `timeoutMs`, or at once when `failure` gives a reason. */
export async function until(
  what: string,
  test: () => Promise<boolean>,
  timeoutMs = 60_000,
  failure?: () => string | null,
): Promise<void> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const answer = await test().catch(() => false)
    if (answer) return
    const reason = failure?.() ?? (Date.now() > end ? 'it did not answer in time' : null)
    if (reason) throw new Error(`${what} did not come up: ${reason}.`)
    await wait(50)
  }
}

/**
 * Runs a program to its end and gives its standard output. Throws an Error with the end of its output when it fails.
 */
export async function runToEnd(
  what: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  running.add(child)
  let printed = ''
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-200_000)))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-200_000)))
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => resolve(exitCode ?? 1))
  })
  running.delete(child)
  if (code === 0) return printed.trim()
  throw new Error(`${what} failed.\n${output.trim().split('\n').slice(-40).join('\n')}`)
}
const running = new Set<ChildProcess>()

/** Stops what runToEnd is still running. */
export const endRunning = () => Promise.all([...running].map((child) => stopChild(child, 'SIGTERM', 2_000)))

/** The last lines of a log file, for an error message. */
export function tailOf(file: string, lines = 15): string {
  if (!fs.existsSync(file)) return ''
  return fs.readFileSync(file, 'utf8').trim().split('\n').slice(-lines).join('\n')
}

/** The log file of a program, over all runs. It is started anew once it exceeds 10 MB. */
export function logFile(dataDir: string, name: string): string {
  const file = path.join(dataDir, 'logs', `${name}.log`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  if (fs.existsSync(file) && fs.statSync(file).size > 10_000_000) fs.rmSync(file)
  return file
}
