// What must be here before any TypeScript can run: packages, their install scripts, the Prisma client.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Installs the packages unless they are here already. Ends the process, with npm's own words, when that fails twice. */
export async function install(root) {
  const stamp = path.join(root, 'node_modules/.vitrine-installed')
  const complete = ['node_modules/.bin/node', 'generated/prisma/client.ts'].every((file) =>
    fs.existsSync(path.join(root, file)),
  )
  if (complete && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lockHash(root)) return
  const started = Date.now()
  console.log('  … Installing packages (the first time this takes a minute or two)')
  // The install scripts are needed: they bring the runtime and the database's links, and write the database client.
  const npm = ['install', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error']
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
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }, // as npm has it, also without npm
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // the channel closes when we die, and the launcher stops with us
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    if (!isIgnored(signal)) process.on(signal, () => child.kill(signal))
  // npm dies of a SIGTERM without passing it on: then our parent is another one all at once.
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

/** `nohup` starts us with hang-ups ignored; listening to them would undo that. */
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
  // Under `npm run`, npm says where it is itself.
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
