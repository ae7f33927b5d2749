// Starts everything Vitrine needs on this machine, keeps it running, and stops it in order. Called by scripts/up.mjs.
import fs from 'node:fs'
import path from 'node:path'
import { SECRET_SETTINGS, withSecretFiles } from '../../lib/core/secret-settings.ts'
import { startInboxServer } from './inbox-server.ts'
import { buildPages, isBuilt } from './build.ts'
import { callChain, fundOperator, saveChainRepeatedly, LOCAL_CHAIN_ID, prepareChain } from './chain.ts'
import { isAlive, type Trace, traceOf } from './file-lock.mjs'
import { type Options, readOptions } from './options.ts'
import { choosePorts, type Ports } from './ports.ts'
import { awaitPostgres, preparePostgres, removePostgres } from './postgres.ts'
import {
  endRunning,
  logFile,
  type Program,
  type Running,
  runToEnd,
  stopLeftover,
  supervise,
  tailOf,
  until,
} from './processes.ts'
import { withProgress } from './progress.mjs'
import { readOrCreateSecrets, type Secrets, writeAtomically } from './secrets.ts'
import { bold, cyan, dim, red, say, step, yellow } from './steps.ts'

const root = path.resolve(import.meta.dirname, '../..')
const script = (name: string) => path.join(root, 'scripts', name)

type Seeded = {
  organization_id: string
  api_key: string
  admin_email: string
  sign_in_url: string
  /** null where there is no test network to deploy to. */
  demo: {
    collection_id: string
    item_ids: string[]
    claim_url: string
    claim_email: string
    listings: { [kind: string]: string | null }
  } | null
}

/** Everything that runs, in the order of starting. It is stopped in reverse order. */
const running: { name: string; stop: () => Promise<void> }[] = []
const programs = new Map<string, Running>()
let stopping = false
let firstSignalAt = 0

async function stopEverything(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  if (running.length) say(dim('\n  Stopping…'))
  await endRunning()
  for (const { name, stop } of running.reverse())
    await stop().catch((error: Error) => say(red(`  ${name} did not stop in order: ${error.message}`)))
  if (dataDir) fs.rmSync(path.join(dataDir, 'processes.json'), { force: true })
  if (code === 0) say(dim('  Everything is stopped. The data is kept; npm run up goes on from here.'))
  process.exit(code)
}

function onSignal(): void {
  const now = Date.now()
  firstSignalAt ||= now
  // npm forwards a Ctrl-C a second time, so only a later signal means that everything must be killed now.
  if (now - firstSignalAt > 2_000) for (const program of programs.values()) killNow(program.pid())
  void stopEverything(0)
}

function killNow(pid: number | null): void {
  try {
    if (pid) process.kill(pid, 'SIGKILL')
  } catch {
    // gone already
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
if (process.connected) process.on('disconnect', onSignal)
process.stdout.on('error', () => {}) // a closed terminal must not end the launcher

let dataDir = ''

async function up(): Promise<void> {
  const started = Date.now()
  if (fs.existsSync(path.join(root, '.env'))) process.loadEnvFile(path.join(root, '.env'))
  const options = readOptions(root, process.argv.slice(2))
  useSecretFiles()
  const { readEnv } = await import('../../lib/core/env.ts') // throws for invalid settings, before any process starts
  dataDir = await claimDataDir(options)
  say(`\n  ${bold('Vitrine')} ${dim(`in ${path.relative(process.cwd(), dataDir) || dataDir}`)}\n`)
  const ports = await choosePorts(options.port)
  const secrets = readOrCreateSecrets(dataDir)
  const origin = process.env.ORIGIN || `http://localhost:${ports.web}`
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: options.dev ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    VITRINE_SANDBOX: process.env.VITRINE_SANDBOX || '1',
    PORT: String(ports.web),
    HOST: process.env.HOST || '127.0.0.1',
    ORIGIN: origin,
    NEXTAUTH_URL: origin,
    SERVER_KEY: process.env.SERVER_KEY || secrets.SERVER_KEY,
    NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET || secrets.NEXTAUTH_SECRET,
    OPERATOR_KEYS: process.env.OPERATOR_KEYS || secrets.OPERATOR_KEYS,
    MEDIA_DIR: process.env.MEDIA_DIR || path.join(dataDir, 'media'),
  }
  const { assertStartable } = await import('../../lib/ports/start-problems.ts')
  assertStartable({ ...readEnv(env), DATABASE_URL: env.DATABASE_URL || 'set when PostgreSQL runs' })
  const built = options.dev ? Promise.resolve() : startBuild()

  await Promise.all([startDatabase(env, ports, secrets), startChain(env, ports), startInbox(env, ports)])
  await step(
    'Tables',
    () => runToEnd('Bringing the database up to date', process.execPath, [script('migrate.ts')], env, root),
    (output) => output.split('\n')[0]!,
  )
  const ownerUrl = env.MIGRATE_DATABASE_URL
  delete env.MIGRATE_DATABASE_URL // everything else works as the logins
  if (!env.CONTRACTS)
    await step(
      'Contracts',
      () => runToEnd('Deploying the contracts', process.execPath, [script('deploy-contracts.ts')], env, root),
      (output) => {
        const settings = output.split('\n')
        env.CONTRACTS = settings.at(-1)!.replace(/^CONTRACTS=/, '')
        env.PAYMENT_TOKENS ||= settings
          .find((line) => line.startsWith('PAYMENT_TOKENS='))
          ?.replace('PAYMENT_TOKENS=', '')
        return env.CONTRACTS.split(/[=,]/)[1] ?? ''
      },
    )
  const worker = await step('Worker', () => startWorker(env, options))
  // Pages can be opened as soon as they are built, whatever the demo data takes.
  const [seeded, web] = await Promise.all([
    step('Demo data', () => seed(env)).catch((error: Error) => {
      if (!process.env.RPC_URLS) throw error
      say(yellow(`  ! ${error.message.split('\n').findLast((line) => line.startsWith('Error: ')) ?? error.message}`))
      say(
        yellow('    The rest works without; the next start tries again. Does the operator have coins on your network?'),
      )
      return null
    }),
    built.then(() =>
      step(
        'Web',
        () => startWeb(env, options, ports),
        () => origin,
      ),
    ),
  ])
  if (stopping) return

  const chainId = Number(env.RPC_URLS!.split('=')[0])
  const facts = () => ({
    origin,
    public_base: `${origin}/public`,
    admin_base: origin,
    rpc_url: rpcUrlOf(env.RPC_URLS!, chainId),
    chain_id: chainId,
    // The owner's, for scripts that look at all tables, and the one that web and worker have.
    database_url: ownerUrl,
    runtime_database_url: env.DATABASE_URL,
    inbox_url: env.DEV_MAIL_DIR ? `${origin}/dev/mail` : null,
    ...seeded,
    pids: {
      launcher: process.pid,
      web: web.pid(),
      worker: worker.pid(),
      postgres: programs.get('postgres')?.pid() ?? null,
      chain: programs.get('chain')?.pid() ?? null,
    },
  })
  writeFacts = () => writeAtomically(path.join(dataDir, 'up.json'), `${JSON.stringify(facts(), null, 2)}\n`)
  writeFacts()
  welcome(origin, seeded, env, started)
}

let writeFacts = () => {}

/**
 * Sets each setting whose value is in a file to the file's content: everything after this decides by the settings alone
 * what it has to make.
 */
function useSecretFiles(): void {
  Object.assign(process.env, withSecretFiles(process.env))
  for (const name of SECRET_SETTINGS) delete process.env[`${name}_FILE`]
}

/**
 * Chooses the data folder and marks it as in use. Beside another running copy it is a folder of its own; processes of a
 * killed launcher are stopped; --fresh deletes its data.
 */
async function claimDataDir(options: Options): Promise<string> {
  let dir = options.dataDir
  const live = launcherIn(dir)
  if (live && options.dataDirGiven)
    throw new Error(
      `Vitrine is running from ${dir} already (process ${live.pid}). Stop it first, or choose another DATA_DIR.`,
    )
  if (live) {
    if (portIn(dir) === options.port)
      throw new Error(
        `Vitrine is running here already, on port ${options.port} (process ${live.pid}). Stop it first, or choose another port: npm run up -- --port ${options.port + 100}`,
      )
    dir = path.join(dir, `port-${options.port}`)
    say(dim(`  Another copy is running from this folder, so this one keeps its data in ${path.relative(root, dir)}.`))
    const other = launcherIn(dir)
    if (other) throw new Error(`Vitrine is running from ${dir} already (process ${other.pid}). Stop it first.`)
  }
  await stopLeftovers(dir)
  if (options.fresh) {
    removePostgres(dir)
    for (const name of ['chain', 'mail', 'media', 'logs', 'secrets.json', 'demo-key'])
      fs.rmSync(path.join(dir, name), { recursive: true, force: true })
  }
  fs.mkdirSync(dir, { recursive: true })
  fs.rmSync(path.join(dir, 'up.json'), { force: true })
  recordProcesses(dir, options.port)
  return dir
}

type Record = { port: number; launcher: Trace | null; programs: Trace[] }

const recordOf = (dir: string): Record | null => {
  try {
    return JSON.parse(fs.readFileSync(path.join(dir, 'processes.json'), 'utf8')) as Record
  } catch {
    return null
  }
}
const launcherIn = (dir: string): Trace | null => {
  const launcher = recordOf(dir)?.launcher
  return launcher && isAlive(launcher) ? launcher : null
}
const portIn = (dir: string): number | null => recordOf(dir)?.port ?? null

async function stopLeftovers(dir: string): Promise<void> {
  const left = (recordOf(dir)?.programs ?? []).filter(isAlive)
  if (left.length === 0) return
  say(dim('  Stopping what an earlier run left behind…'))
  await Promise.all(left.map((trace) => stopLeftover(trace, 'SIGINT')))
}

/** Records our processes, so that the next start can stop them if the launcher is killed. */
function recordProcesses(dir: string, port: number): void {
  const traces = [...programs.values()].flatMap((program) => traceOf(program.pid() ?? 0) ?? [])
  const record: Record = { port, launcher: traceOf(process.pid), programs: traces }
  writeAtomically(path.join(dir, 'processes.json'), JSON.stringify(record))
}

let webPort = 0

async function run(key: string, program: Program): Promise<Running> {
  if (stopping) throw new Error('Stopping.')
  const changed = () => {
    recordProcesses(dataDir, webPort)
    writeFacts()
  }
  const remark = (line: string) => {
    if (!stopping) say(`  ${yellow('!')} ${line}`)
  }
  const started = await supervise(program, () => setImmediate(changed), remark)
  running.push(started)
  programs.set(key, started)
  changed()
  return started
}

/** A DATABASE_URL given alone is the owner's, and the logins are made from it. */
async function startDatabase(env: NodeJS.ProcessEnv, ports: Ports, secrets: Secrets): Promise<void> {
  webPort = ports.web
  const given = env.MIGRATE_DATABASE_URL || env.DATABASE_URL
  if (given) {
    if (!env.MIGRATE_DATABASE_URL || !env.DATABASE_URL) env.DATABASE_URL = runtimeUrlOf(given, secrets)
    env.MIGRATE_DATABASE_URL = given
    return step(
      'PostgreSQL',
      () => awaitPostgres(given),
      () => 'yours (DATABASE_URL)',
    )
  }
  await step(
    'PostgreSQL',
    async () => {
      const postgres = await preparePostgres({ dataDir, port: ports.postgres, password: secrets.DATABASE_PASSWORD })
      await run('postgres', postgres.program)
      await awaitPostgres(postgres.url)
      env.MIGRATE_DATABASE_URL = postgres.url
      env.DATABASE_URL = runtimeUrlOf(postgres.url, secrets)
    },
    () => `127.0.0.1:${ports.postgres}`,
  )
}

const runtimeUrlOf = (ownerUrl: string, { LOGIN_USER, LOGIN_PASSWORD }: Secrets): string =>
  Object.assign(new URL(ownerUrl), { username: LOGIN_USER, password: LOGIN_PASSWORD }).toString()

async function startChain(env: NodeJS.ProcessEnv, ports: Ports): Promise<void> {
  if (env.RPC_URLS) {
    const local = rpcUrlOf(env.RPC_URLS, LOCAL_CHAIN_ID)
    // Where the node can't set balances, somebody must fund the operator.
    if (local) await fundOperators(env, local).catch(() => {})
    return say(`  ${dim('·')} Chain          ${dim('yours (RPC_URLS)')}`)
  }
  const rpcUrl = `http://127.0.0.1:${ports.chain}`
  await step(
    'Chain',
    async () => {
      await run('chain', prepareChain(dataDir, ports.chain))
      await until('The chain', () => callChain(rpcUrl, 'eth_chainId').then(() => true))
      const saving = saveChainRepeatedly(dataDir, rpcUrl)
      running.push({ name: 'Saving the chain', stop: saving.stop })
      await fundOperators(env, rpcUrl)
      env.RPC_URLS = `${LOCAL_CHAIN_ID}=${rpcUrl}`
    },
    () => `${LOCAL_CHAIN_ID} at 127.0.0.1:${ports.chain}`,
  )
}

async function fundOperators(env: NodeJS.ProcessEnv, rpcUrl: string): Promise<void> {
  const { privateKeyToAddress } = await import('viem/accounts')
  for (const key of env.OPERATOR_KEYS!.split(','))
    await fundOperator(rpcUrl, privateKeyToAddress(key.trim() as `0x${string}`))
}

/** The first URL of a network in RPC_URLS (`1=https://a,https://b;137=https://c`). */
const rpcUrlOf = (setting: string, id: number): string | null =>
  setting
    .split(';')
    .find((entry) => entry.trim().startsWith(`${id}=`))
    ?.split('=')
    .slice(1)
    .join('=')
    .split(',')[0]
    ?.trim() ?? null

async function startInbox(env: NodeJS.ProcessEnv, ports: Ports): Promise<void> {
  if (env.SMTP_URL) return say(`  ${dim('·')} Mail           ${dim('yours (SMTP_URL)')}`)
  await step(
    'Inbox',
    async () => {
      env.DEV_MAIL_DIR = path.join(dataDir, 'mail')
      fs.mkdirSync(env.DEV_MAIL_DIR, { recursive: true })
      const inbox = await startInboxServer({ dir: env.DEV_MAIL_DIR, port: ports.smtp })
      running.push({ name: 'The inbox', stop: inbox.stop })
      env.SMTP_URL = `smtp://127.0.0.1:${inbox.port}`
    },
    () => `stores every mail sent to 127.0.0.1:${ports.smtp}`,
  )
}

/** Starts the build, which takes longest, in parallel with everything else. */
function startBuild(): Promise<void> {
  if (isBuilt(root)) return Promise.resolve()
  const isAgain = fs.existsSync(path.join(root, '.next/BUILD_ID'))
  const title = isAgain ? 'Building the pages, which changed' : 'Building the pages'
  const built = step('Pages', () =>
    withProgress({ root, name: 'build', title, usualSeconds: 45 }, () => buildPages(root)),
  )
  built.catch(() => {}) // reported where it is awaited
  return built
}

async function startWorker(env: NodeJS.ProcessEnv, options: Options): Promise<Running> {
  return run('worker', {
    name: 'The worker',
    command: process.execPath,
    args: [script('worker.ts')],
    env,
    cwd: root,
    channel: true,
    output: options.dev ? 'terminal' : logFile(dataDir, 'worker'),
  })
}

async function startWeb(env: NodeJS.ProcessEnv, options: Options, ports: Ports): Promise<Running> {
  const log = logFile(dataDir, 'web')
  const web = await run('web', {
    name: 'The web process',
    command: process.execPath,
    args: ['--max-semi-space-size=16', ...(options.dev ? [script('web.ts'), '--dev'] : [script('start.mjs')])],
    env: { ...env, MALLOC_ARENA_MAX: '2' },
    cwd: root,
    channel: true,
    output: options.dev ? 'terminal' : log,
  })
  const answers = () => fetch(`http://127.0.0.1:${ports.web}/health/live`).then((response) => response.status < 500)
  // Long, since a first start on a busy machine would be for nothing otherwise.
  await until('The web process', answers, 180_000).catch((error: Error) => {
    throw new Error(`${error.message}\n${tailOf(log)}`)
  })
  return web
}

/** The demo organization, created through the verbs. Safe to repeat: later runs find it again. */
async function seed(env: NodeJS.ProcessEnv): Promise<Seeded> {
  const output = await runToEnd('Making the demo data', process.execPath, [script('seed.ts')], env, root)
  return JSON.parse(output.split('\n').at(-1)!) as Seeded
}

function welcome(origin: string, seeded: Seeded | null, env: NodeJS.ProcessEnv, started: number): void {
  const line = (name: string, value: string) => say(`  ${name.padEnd(12)}${value}`)
  say()
  say(`  ${bold('Ready')} ${dim(`after ${Math.round((Date.now() - started) / 1000)} s.`)}`)
  say()
  line('Dashboard', cyan(seeded?.sign_in_url ?? `${origin}/sign-in`))
  if (seeded) line('', dim(`signs you in as ${seeded.admin_email}, once`))
  if (seeded?.demo) {
    line('Claim', cyan(seeded.demo.claim_url))
    line(
      '',
      dim(
        `a gift on its way to ${seeded.demo.claim_email}; its PIN arrives ${env.DEV_MAIL_DIR ? 'in the inbox' : 'there'}`,
      ),
    )
  }
  const listing = seeded?.demo?.listings.card ?? seeded?.demo?.listings.free_email
  if (listing) line('Checkout', cyan(`${origin}/l/${listing}`))
  if (env.DEV_MAIL_DIR) line('Inbox', cyan(`${origin}/dev/mail`))
  if (seeded) line('API key', seeded.api_key)
  line('Docs', cyan(`${origin}/docs`))
  say()
  say(
    dim(
      `  Logs are in ${path.relative(process.cwd(), path.join(dataDir, 'logs'))}. Ctrl-C stops everything and keeps the data.`,
    ),
  )
  say()
}

try {
  await up()
} catch (error) {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- a signal may have set it meanwhile
  if (!stopping) {
    say()
    say(red(`  ${(error as Error).message}`))
    await stopEverything(1)
  }
}
