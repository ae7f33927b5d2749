// npm run bench:rest: what an installation with nothing to do uses, for a minute. Writes docs/benchmarks/rest.md.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pauseWorker } from '../http/pause-worker.ts'
import { type Stack, startStack, stopSides } from '../http/sides.ts'
import { countStatements, prepareCounting } from './count-statements.ts'
import { type Rest, tableOf, writeReport } from './report.ts'
import { msUntilSent } from './sending.ts'
import { useBetween, usageOf } from './usage.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    // After the start, and after a million items were written: what they left to do is done, and tables are analyzed.
    settle: { type: 'string', default: '60' },
    // A second measurement with so many items, in a database filled as by npm run seed:big. 0: none.
    items: { type: 'string', default: '0' },
    port: { type: 'string', default: '4800' },
    dry: { type: 'boolean', default: false },
  },
})
const root = path.resolve(import.meta.dirname, '../../..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-rest-'))
fs.chmodSync(folder, 0o755)
const data = path.join(folder, 'stack')

/** The pids change when a process was restarted. */
const readStack = (): Stack => JSON.parse(fs.readFileSync(path.join(data, 'up.json'), 'utf8')) as Stack

async function measure(items: number): Promise<Rest> {
  await wait(Number(options.settle) * 1_000)
  const stack = readStack()
  const ended = await countStatements(stack.database_url)
  const before = usageOf(stack)
  const started = performance.now()
  await wait(Number(options.seconds) * 1_000)
  const seconds = (performance.now() - started) / 1_000
  const use = useBetween(before, usageOf(stack), seconds)
  const rest = { items, seconds, load: os.loadavg()[0]!, use, statements: await ended(seconds) }
  console.log(tableOf(rest))
  return rest
}

async function fill(items: number): Promise<void> {
  const stack = readStack()
  const settings = fs.readFileSync(`/proc/${stack.pids.web}/environ`, 'utf8').split('\0').filter(Boolean)
  const env = Object.fromEntries(settings.map((line) => [line.split('=', 1)[0]!, line.slice(line.indexOf('=') + 1)]))
  delete env.NODE_CHANNEL_FD
  const resume = await pauseWorker(stack)
  try {
    const seeding = spawn(
      process.execPath,
      [path.join(root, 'scripts/seed-big.ts'), '--scale', String(items / 1_000_000)],
      {
        cwd: root,
        env: { ...process.env, ...env, MIGRATE_DATABASE_URL: stack.database_url },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const code = await new Promise((resolve) => seeding.once('exit', resolve))
    if (code !== 0) throw new Error('The database could not be filled.')
  } finally {
    resume()
  }
}

try {
  console.log('Starting: a minute or two.')
  await startStack(data, Number(options.port))
  await prepareCounting(readStack)
  const rests = [await measure(0)]
  if (Number(options.items) > 0) {
    await fill(Number(options.items))
    rests.push(await measure(Number(options.items)))
  }
  const sentMs = await msUntilSent(readStack())
  console.log(`A mint is sent ${sentMs.toFixed(0)} ms after its answer, in the median.`)
  if (!options.dry) writeReport(rests, sentMs)
} finally {
  await stopSides()
  fs.rmSync(folder, { recursive: true, force: true })
}
