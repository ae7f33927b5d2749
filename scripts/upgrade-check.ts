// npm run upgrade:check -- --from <release or commit>: starts that release in a folder of its own, migrates its database with this version while
// its processes run, does something of every kind with them, settles, and verifies with this version.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { freeStackPort } from './launcher/ports.ts'
import { removePostgres } from './launcher/postgres.ts'
import { until } from './launcher/processes.ts'
import { playStories } from './release-fixture/play-stories.ts'
import { readSandbox } from './release-fixture/sandbox.ts'

const root = path.resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { from: { type: 'string' } } })
if (!values.from) {
  console.error('Say from which release: npm run upgrade:check -- --from <tag or commit>')
  process.exit(1)
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-upgrade-'))
const dataDir = path.join(folder, '.data')

run('git', ['clone', '--quiet', '--no-checkout', root, folder], root)
run('git', ['checkout', '--quiet', values.from], folder)
const port = await freeStackPort()
const old = spawn('npm', ['run', 'up', '--', '--port', String(port)], {
  cwd: folder,
  env: { ...process.env, DATA_DIR: dataDir, EGRESS_ALLOW: '127.0.0.0/8' },
  stdio: 'inherit',
})
const ended = new Promise((resolve) => old.once('exit', resolve))
let failed = true
try {
  await until('The old release', () => Promise.resolve(fs.existsSync(path.join(dataDir, 'up.json'))), 600_000)
  const sandbox = readSandbox(dataDir)
  const secrets = JSON.parse(fs.readFileSync(path.join(dataDir, 'secrets.json'), 'utf8')) as { SERVER_KEY: string }
  const settings = {
    // 0.1.0 has one login, the owner's.
    DATABASE_URL: Object.assign(new URL(sandbox.database_url), {
      username: 'upgraded',
      password: 'upgraded',
    }).toString(),
    MIGRATE_DATABASE_URL: sandbox.database_url,
    RPC_URLS: `${sandbox.chain_id}=${sandbox.rpc_url}`,
    SERVER_KEY: secrets.SERVER_KEY,
  }
  run(process.execPath, ['scripts/upgrade.ts'], root, settings)
  await playStories(sandbox)
  run(process.execPath, ['scripts/upgrade.ts', '--settle'], root, settings)
  run(process.execPath, ['scripts/verify.ts'], root, settings)
  console.log(`Processes of ${values.from} work with the migrated database.`)
  failed = false
} catch (error) {
  console.error((error as Error).message)
} finally {
  old.kill('SIGINT')
  await ended
  removePostgres(dataDir)
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

/** Runs a program to its end, and throws unless it succeeds. */
function run(command: string, args: string[], cwd: string, settings: Record<string, string> = {}): void {
  const { status } = spawnSync(command, args, { cwd, env: { ...process.env, ...settings }, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`)
}
