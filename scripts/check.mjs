// npm run check: dependencies, format, lint, types and unit tests, for the minute before a commit. Two lanes, as most
// machines have two cores or more. Results of unchanged files come from caches in node_modules/.cache; a cached lint
// can miss what another file's types have changed, so `npm test` lints without it.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { install } from './launcher/install.mjs'

const root = path.resolve(import.meta.dirname, '..')
const bin = path.join(root, 'node_modules/.bin')

const LANES = [
  [
    {
      name: 'lint',
      commands: [
        ['oxlint'],
        ['eslint', '.', '--max-warnings', '0', '--cache', '--cache-location', 'node_modules/.cache/eslint/'],
      ],
    },
  ],
  [
    { name: 'dependencies', commands: [['node', 'scripts/audit.ts', '--offline']] },
    {
      name: 'format',
      commands: [
        ['prettier', '--check', '--cache', '--log-level', 'warn', '.'],
        ['node', 'scripts/forge.mjs', 'fmt', '--check', 'contracts'],
      ],
    },
    {
      name: 'types',
      commands: [
        ['next', 'typegen'],
        ['tsc', '--noEmit'],
      ],
    },
    { name: 'unit tests', commands: [['vitest', 'run', '--project', 'unit']] },
  ],
]

/** Runs a program of the packages until it ends; resolves to its exit code and all it wrote. */
function run([program, ...args]) {
  const child = spawn(path.join(bin, program), args, {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`, // the packages' own Node
      ...(process.stdout.isTTY && !process.env.NO_COLOR && { FORCE_COLOR: '1' }),
      // Lint and types take a fifth less time by it.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: `${program} can't be started: ${error.message}\n` }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Runs the commands of one part until one fails, and prints what that one wrote. */
async function check({ name, commands }) {
  const started = Date.now()
  for (const command of commands) {
    const { code, output } = await run(command)
    if (code === 0) continue
    console.log(`✗ ${name}\n${output.trimEnd()}\n`)
    return false
  }
  console.log(`✓ ${name} (${Math.round((Date.now() - started) / 1000)} s)`)
  return true
}

async function checkAll(lane) {
  const passed = []
  for (const part of lane) passed.push(await check(part))
  return passed.every(Boolean)
}

await install(root, 'checks')
const passed = await Promise.all(LANES.map(checkAll))
process.exit(passed.every(Boolean) ? 0 : 1)
