// npm run simulate: runs the product in simulated worlds, one a seed, and says what broke (docs/simulation.md).
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../../scripts/launcher/ports.ts'
import { awaitPostgres, preparePostgres, removePostgres } from '../../scripts/launcher/postgres.ts'
import { spawnProgram, stopChild } from '../../scripts/launcher/processes.ts'
import { prepareDatabase } from '../support/prepare-database.ts'
import { DEFECTS } from './defects.ts'
import { dropDatabase, makeDatabase, makeTemplate } from './prepare.ts'
import type { SeedResult } from './run-seed.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    times: { type: 'string', default: '1' },
    at: { type: 'string', default: '2' },
    trace: { type: 'boolean', default: false },
    defect: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
if (values.defect && !(values.defect in DEFECTS)) {
  process.stderr.write(`There is no defect ${values.defect}. There are ${Object.keys(DEFECTS).join(', ')}.\n`)
  process.exit(2)
}
const seeds = values.seed
  ? values.seed.split(',').map(Number)
  : Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.from) + at)
const runs = seeds.flatMap((seed) => Array.from({ length: Number(values.times) }, () => seed))

// Worlds that are compared come one after another on a server of their own: beside others a trace has differed in one
// of some twenty runs.
const isCompared = Number(values.times) > 1
const server =
  process.env.TEST_DATABASE_TEMPLATE && !isCompared
    ? { url: process.env.TEST_DATABASE_TEMPLATE, stop: async () => undefined }
    : await startServer()
const startedAt = performance.now()
const results: SeedResult[] = []
let template = ''
let databases = 0
try {
  template = await makeTemplate(server.url)
  await Promise.all(Array.from({ length: isCompared ? 1 : Math.min(runs.length, Number(values.at)) }, () => work()))
} finally {
  if (template) await dropDatabase(server.url, template)
  await server.stop()
}
process.exitCode = summarize()

/**
 * A PostgreSQL of our own that keeps nothing safe, without autovacuum: statistics that change on their own would change
 * plans.
 */
async function startServer() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-simulation-'))
  fs.chmodSync(dataDir, 0o755)
  const settings = {
    max_connections: 300,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    shared_buffers: '512MB',
    wal_level: 'minimal',
    max_wal_senders: 0,
    track_counts: 'off',
    update_process_title: 'off',
    io_method: 'sync',
  }
  const postgres = await preparePostgres({ dataDir, port: await freePort(), password: 'test', settings })
  // A world opens a hundred connections: without passwords, each takes a fraction of the time.
  fs.writeFileSync(path.join(postgres.dataDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
  const child = spawnProgram(postgres.program)
  await awaitPostgres(postgres.url)
  await prepareDatabase(postgres.url)
  return {
    url: postgres.url,
    stop: async () => {
      await stopChild(child, 'SIGINT')
      removePostgres(dataDir)
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function work(): Promise<void> {
  for (let seed = runs.shift(); seed !== undefined; seed = runs.shift()) {
    const result = await runOne(seed)
    results.push(result)
    if (values.json) continue
    if (result.broken.length > 0)
      process.stdout.write(`seed ${seed} broke:\n${result.broken.map((line) => `  ${line}\n`).join('')}`)
    else if (results.length % 50 === 0) process.stdout.write(`${results.length} seeds are done.\n`)
    // With a defect planted, the first seed that finds it is what was asked for.
    if (values.defect && result.broken.length > 0) runs.length = 0
  }
}

async function runOne(seed: number): Promise<SeedResult> {
  const name = `simulation_${process.pid}_${++databases}`
  const database = await makeDatabase(server.url, template, name)
  const args = [String(seed), database, values.trace ? 'trace' : '', values.defect ?? '']
  const program = ['--max-semi-space-size=64', path.join(import.meta.dirname, 'seed.ts')]
  const child = spawn(process.execPath, [...program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../node_modules/.cache/node-compile'),
    },
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (part: Buffer) => (output += String(part)))
  child.stderr.on('data', (part: Buffer) => (errors += String(part)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  await dropDatabase(server.url, name)
  const lines = output.trimEnd().split('\n')
  const last = lines.pop() ?? ''
  if (values.trace) process.stdout.write(`${lines.join('\n')}\n`)
  if (code === 0 && last.startsWith('{')) return JSON.parse(last) as SeedResult
  const broken = [`The process of the seed ended with ${code}: ${errors.slice(-2_000)}${last.slice(-500)}`]
  return { seed, steps: 0, hash: '', counts: {}, broken }
}

function summarize(): number {
  const failed = results.filter(({ broken }) => broken.length > 0).map(({ seed }) => seed)
  const total = new Map<string, number>()
  for (const { counts } of results)
    for (const [what, times] of Object.entries(counts)) total.set(what, (total.get(what) ?? 0) + times)
  const hashes = Map.groupBy(results, ({ seed }) => seed)
  const unsteady = [...hashes].filter(([, own]) => new Set(own.map(({ hash }) => hash)).size > 1).map(([seed]) => seed)
  const summary = {
    seeds: hashes.size,
    runs: results.length,
    steps: results.reduce((sum, { steps }) => sum + steps, 0),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    failed: failed.sort((a, b) => a - b),
    unsteady,
    hashes: results.length <= 40 ? Object.fromEntries([...hashes].map(([seed, [one]]) => [seed, one!.hash])) : {},
    counts: Object.fromEntries([...total].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  if (values.json)
    process.stdout.write(`${JSON.stringify({ ...summary, broken: results.flatMap(({ broken }) => broken) })}\n`)
  else {
    process.stdout.write(
      `${summary.runs} runs of ${summary.seeds} seeds, ${summary.steps} steps, ${summary.seconds} s.\n`,
    )
    for (const [what, times] of Object.entries(summary.counts)) process.stdout.write(`  ${what}: ${times}\n`)
    process.stdout.write(
      failed.length > 0 ? `Broken: ${failed.join(', ')}. Replay one with --seed N --trace.\n` : 'Nothing broke.\n',
    )
    if (unsteady.length > 0)
      process.stdout.write(`These had different traces in different runs: ${unsteady.join(', ')}.\n`)
  }
  if (unsteady.length > 0) return 1
  if (values.defect) return failed.length > 0 ? 0 : 1
  return failed.length > 0 ? 1 : 0
}
