// npm run upgrade:check: plays a rolling upgrade from each earlier release, or with --from from one release, tag or
// commit. On one database and chain, its web process and worker are migrated under, joined and replaced by those of
// this version, while something of everything is done through a balancer. With --folder the releases are checked out,
// installed and built below it, and stay for another run.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { DatabaseClient } from '../lib/db/database-client.ts'
import { listInboxMail } from '../lib/ports/mail/inbox.ts'
import { buildPages, isBuilt } from './launcher/build.ts'
import { LOCAL_CHAIN_ID } from './launcher/chain.ts'
import { playStories } from './release-fixture/play-stories.ts'
import type { Sandbox } from './release-fixture/sandbox.ts'
import { type Release, runScript, startStack, startWeb, startWorker } from './upgrade-check/stack.ts'

/** Requests that a process of a release can't answer in tables of this version, as the next release's page says. */
const KNOWN_FAILURES: Record<string, RegExp[]> = {
  '0.1.0': [/^PUT \/v1\/email-templates\//, /^POST \/v1\/collections\/[^/]+\/reveal$/],
}
const TRIES = 30
const TRY_MS = 2_000

const root = path.resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { from: { type: 'string' }, folder: { type: 'string' } } })
if (!values.from) process.exit(checkEach())
const from = values.from
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-upgrade-'))
const folder = path.resolve(values.folder ?? dataDir, `release-${from}`)
const running = new Set<{ stop: () => Promise<unknown> }>()

const failed = await check().then(
  () => false,
  (error: unknown) => {
    console.error((error as Error).message)
    return true
  },
)
for (const each of [...running].reverse()) await each.stop()
if (failed) console.error(`The logs are in ${path.join(dataDir, 'logs')}.`)
else fs.rmSync(dataDir, { recursive: true, force: true })
process.exit(failed ? 1 : 0)

/** Runs the check once for each release that this version comes after. Gives the status to end with. */
function checkEach(): number {
  const releases = JSON.parse(fs.readFileSync(path.join(root, 'prisma/releases.json'), 'utf8')) as { version: string }[]
  const failed = releases.filter(({ version }) => {
    if (!commitOf(version)) {
      console.log(`${version} has no tag v${version} yet, so nothing is upgraded from it.`)
      return false
    }
    const args = [import.meta.filename, '--from', version, ...(values.folder ? ['--folder', values.folder] : [])]
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0
  })
  for (const { version } of failed) console.error(`The upgrade from ${version} failed.`)
  return failed.length > 0 ? 1 : 0
}

/** What git knows a release by: its tag, which 0.1.0 lacks. Null: nothing. */
function commitOf(release: string): string | null {
  if (release === '0.1.0') return 'b158d86'
  const tag = `v${release}`
  const found = spawnSync('git', ['rev-parse', '--quiet', '--verify', `refs/tags/${tag}`], { cwd: root })
  return found.status === 0 ? tag : null
}

async function check(): Promise<void> {
  checkOut()
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }
  const isFirst = version === '0.1.0'
  if (!isBuilt(root)) await buildPages(root)
  const stack = keep(await startStack(dataDir))
  const { ownerUrl, runtimeUrl, balancer, rpcUrl, origin } = stack
  // 0.1.0 has one login, the owner's.
  const hasLogins = fs.existsSync(path.join(folder, 'lib/db/logins.ts'))
  const both = { DATABASE_URL: runtimeUrl, MIGRATE_DATABASE_URL: ownerUrl }
  const oldOwner: Release = {
    name: from,
    root: folder,
    env: { ...stack.env, ...(hasLogins ? both : { DATABASE_URL: ownerUrl }) },
  }
  await runScript(oldOwner, 'migrate.ts')
  const settings = settingsIn(await runScript(oldOwner, 'deploy-contracts.ts'))
  const old: Release = {
    ...oldOwner,
    env: { ...stack.env, ...settings, DATABASE_URL: hasLogins ? runtimeUrl : ownerUrl },
  }
  const owner: Release = { name: 'this version', root, env: { ...stack.env, ...settings, ...both } }
  const own: Release = { ...owner, env: { ...stack.env, ...settings, DATABASE_URL: runtimeUrl } }

  const oldWorker = keep(startWorker(old, dataDir))
  const seeded = JSON.parse((await runScript(old, 'seed.ts')).split('\n').at(-1)!) as Sandbox
  const oldWeb = keep(await startWeb(old, dataDir, stack))
  const sandbox = { ...seeded, origin, rpc_url: rpcUrl, chain_id: LOCAL_CHAIN_ID, isBesideFirst: isFirst }

  /** Does something of everything while the installation changes. */
  async function during(what: string, change: () => Promise<unknown>): Promise<void> {
    const started = Date.now()
    const played = playStories({ ...sandbox, mark: started.toString(36) })
    await Promise.all([played, change()])
    console.log(`  ✓ ${what} (${Math.round((Date.now() - started) / 1000)} s)`)
  }
  await during('The migrations are applied under the old processes', () => runScript(owner, 'upgrade.ts'))
  await during('A new worker joins', async () => void keep(startWorker(own, dataDir)))
  await during('The old worker stops', () => oldWorker.stop())
  await during('A new web process joins', async () => void keep(await startWeb(own, dataDir, stack)))
  await during('The old web process stops', () => oldWeb.stop())
  await runScript(owner, 'upgrade.ts', '--settle')
  sandbox.isBesideFirst = false
  await during('The new processes are alone', () => Promise.resolve())

  const failures = balancer.failures.filter(
    ({ method, path: asked, port }) =>
      port !== oldWeb.port || !KNOWN_FAILURES[version]?.some((known) => known.test(`${method} ${asked}`)),
  )
  if (failures.length > 0) throw new Error(`Requests failed:\n${JSON.stringify(failures, null, 2)}`)
  await assertMailedOnce(ownerUrl, stack.mailDir)
  await verify(own)
  console.log(`Processes of ${from} and of this version work beside one another.`)
}

function keep<T extends { stop: () => Promise<unknown> }>(started: T): T {
  running.add(started)
  return started
}

/** Checks the release out, installs and builds it, unless the folder has it. */
function checkOut(): void {
  if (!fs.existsSync(path.join(folder, 'package.json'))) {
    run('git', ['clone', '--quiet', '--no-checkout', root, folder], root)
    run('git', ['checkout', '--quiet', commitOf(from) ?? from], folder)
  }
  const install = `await (await import('./scripts/launcher/install.mjs')).install(process.cwd())`
  run(process.execPath, ['--input-type=module', '--eval', install], folder)
  if (!fs.existsSync(path.join(folder, '.next/BUILD_ID'))) run('npm', ['run', 'build'], folder)
}

/** Runs a program to its end, and throws unless it succeeds. */
function run(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`)
}

/** The settings that a script printed as lines. */
function settingsIn(printed: string): Record<string, string> {
  const lines = printed.matchAll(/^(CONTRACTS|PAYMENT_TOKENS)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name!, value!]))
}

/** Each mail that was sent is in the inbox once. */
async function assertMailedOnce(databaseUrl: string, mailDir: string): Promise<void> {
  const mails = await listInboxMail(mailDir, {}, Infinity)
  const ids = mails.map(({ headers }) => headers['message-id'])
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at)
  if (twice.length > 0) throw new Error(`Mails were sent twice: ${twice.join(', ')}`)
  const client = new DatabaseClient({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string; state: string }>(
    `SELECT message_id AS id, state FROM outbox_messages WHERE state IN ('SENT', 'FAILED') AND organization_id IS NOT NULL`,
  )
  await client.end()
  const lost = rows.filter(({ id, state }) => state === 'FAILED' || !ids.includes(id))
  if (lost.length > 0) throw new Error(`Mails are missing: ${JSON.stringify(lost)}`)
}

/** Runs verify.ts of a release, and repeats it while it fails: the last actions may still be indexed. */
async function verify(release: Release): Promise<void> {
  for (let tries = 1; ; tries++) {
    const error = await runScript(release, 'verify.ts').then(
      () => null,
      (failure: Error) => failure,
    )
    if (!error) return
    if (tries === TRIES) throw error
    await new Promise((resolve) => setTimeout(resolve, TRY_MS))
  }
}
