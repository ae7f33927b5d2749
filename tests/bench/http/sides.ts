import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../../scripts/launcher/ports.ts'
import { stopChild, until } from '../../../scripts/launcher/processes.ts'
import { buildNextRoute } from './next-route.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const children: ChildProcess[] = []

/** What `npm run up` writes about itself (scripts/launcher/main.ts). */
export type Stack = {
  origin: string
  chain_id: number
  database_url: string
  runtime_database_url: string
  organization_id: string
  api_key: string
  sign_in_url: string
  demo: { collection_id: string; item_ids: string[]; claim_url: string; listings: Record<string, string | null> }
  pids: { launcher: number; web: number; worker: number; postgres: number; chain: number }
}

export type Side = { name: string; url: string; pid: number }

/** What the whole of Vitrine logs. */
const LOG = path.join(root, '.test/bench-http.log')
const NO_LIMIT = '1000000000'
const START_TIMEOUT_MS = 300_000
const STOP_TIMEOUT_MS = 30_000

/** The whole of Vitrine in a folder of its own: limits are on, but far away. PostgreSQL writes durably. */
export async function startStack(folder: string, port: number): Promise<Stack> {
  fs.rmSync(path.join(folder, 'up.json'), { force: true })
  fs.mkdirSync(path.dirname(LOG), { recursive: true })
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts/launcher/main.ts'), '--fresh', '--port', String(port)],
    {
      cwd: root,
      stdio: ['ignore', fs.openSync(LOG, 'w'), 'inherit', 'ipc'],
      env: {
        ...process.env,
        DATA_DIR: folder,
        RATE_LIMIT_PUBLIC_READS: NO_LIMIT,
        RATE_LIMIT_PUBLIC_WRITES: NO_LIMIT,
        RATE_LIMIT_ADMIN: NO_LIMIT,
        OPEN_INTENTS_PER_BUYER: '0',
        OPEN_INTENTS_PER_CLIENT: '0',
        PROOF_OF_WORK: 'off',
      },
    },
  )
  children.push(child)
  const facts = path.join(folder, 'up.json')
  while (!fs.existsSync(facts)) {
    if (child.exitCode !== null) throw new Error('Vitrine did not start.')
    await wait(200)
  }
  return JSON.parse(fs.readFileSync(facts, 'utf8')) as Stack
}

/** The bare server, as the database's owner: no row-level security. */
export const startBare = (databaseUrl: string): Promise<Side> =>
  start('bare', [path.join(import.meta.dirname, 'bare.ts')], root, { DATABASE_URL: databaseUrl })

/** One Next route with pg. */
export async function startNextRoute(databaseUrl: string, folder: string): Promise<Side> {
  await buildNextRoute(folder)
  const next = path.join(root, 'node_modules/next/dist/bin/next')
  return start('next', [next, 'start', '-H', '127.0.0.1'], folder, { DATABASE_URL: databaseUrl })
}

/**
 * A second web process of Vitrine, with the settings of the first one, which only its environment has, and the same
 * bound of young objects.
 */
export function startSecondWeb({ pids }: Stack): Promise<Side> {
  const settings = fs.readFileSync(`/proc/${pids.web}/environ`, 'utf8').split('\0').filter(Boolean)
  const env = Object.fromEntries(settings.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]))
  delete env.NODE_CHANNEL_FD // the launcher's channel to the first one
  return start('vitrine', ['--max-semi-space-size=16', path.join(root, 'scripts/start.mjs')], root, env)
}

/** Starts a Node program that listens on the port in PORT, and waits until it answers. */
export async function start(
  name: string,
  args: string[],
  cwd: string,
  settings: Record<string, string | undefined>,
): Promise<Side> {
  const port = await freePort()
  const env = { ...process.env, ...settings, NODE_ENV: 'production' as const, PORT: String(port) }
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  await until(
    name,
    () => fetch(url).then(() => true),
    START_TIMEOUT_MS,
    () => (child.exitCode === null ? null : 'it ended'),
  )
  return { name, url, pid: child.pid! }
}

/** Ends everything that was started, Vitrine in order. */
export const stopSides = (): Promise<void[]> =>
  Promise.all(children.map((child) => stopChild(child, 'SIGTERM', STOP_TIMEOUT_MS)))
