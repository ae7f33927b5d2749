import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../../scripts/launcher/ports.ts'
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
  pids: { web: number; worker: number; postgres: number }
}

export type Side = { name: string; url: string; pid: number }

const NO_LIMIT = '1000000000'

/** The whole of Vitrine in a folder of its own: limits are on, but far away. PostgreSQL writes durably. */
export async function startStack(folder: string, port: number): Promise<Stack> {
  fs.rmSync(path.join(folder, 'up.json'), { force: true })
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts/launcher/main.ts'), '--fresh', '--port', String(port)],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
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
  start('bare', [path.join(import.meta.dirname, 'bare.ts')], root, databaseUrl)

/** One Next route with pg. */
export async function startNextRoute(databaseUrl: string, folder: string): Promise<Side> {
  await buildNextRoute(folder)
  return start(
    'next',
    [path.join(root, 'node_modules/next/dist/bin/next'), 'start', '-H', '127.0.0.1'],
    folder,
    databaseUrl,
  )
}

async function start(name: string, args: string[], cwd: string, databaseUrl: string): Promise<Side> {
  const port = await freePort()
  const env = { ...process.env, NODE_ENV: 'production' as const, PORT: String(port), DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 150; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return { name, url, pid: child.pid! }
    await wait(200)
  }
  throw new Error(`${name} did not start.`)
}

/** Ends everything that was started, Vitrine in order. */
export async function stopSides(): Promise<void> {
  await Promise.all(
    children.map(
      (child) =>
        new Promise<void>((resolve) => {
          if (child.exitCode !== null) return resolve()
          child.once('exit', () => resolve())
          child.kill('SIGTERM')
        }),
    ),
  )
}
