// npm run bench: what requests cost, beside a bare server, in one run. Writes docs/benchmarks/http.md.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Case, casesOf, WRITES } from './cases.ts'
import { cpuSeconds, residentMegabytes } from './cpu.ts'
import type { Load, LoadResult } from './load.ts'
import { median } from './median.ts'
import { pauseWorker } from './pause-worker.ts'
import { figuresOf, type Measured, measurerOf } from './peers/measure-peers.ts'
import { startPeers } from './peers/start-peers.ts'
import { peersTableOf, processesTableOf, type Row, tableOf, writeReport } from './report.ts'
import { redemptionsOf } from './redemptions.ts'
import { compareTwoProcesses } from './second-process.ts'
import { seed, touch } from './seed.ts'
import { type Side, type Stack, startBare, startNextRoute, startStack, stopSides } from './sides.ts'
import { visitEveryRoute } from './visit.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    port: { type: 'string', default: '4700' },
    memory: { type: 'string', default: '1000000' },
    dry: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    // Only what the peers are asked; nothing is written.
    'peers-only': { type: 'boolean', default: false },
  },
})
const root = path.resolve(import.meta.dirname, '../../..')
const CONNECTIONS = 32
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-bench-'))
fs.chmodSync(folder, 0o755)

async function run(
  side: Pick<Load, 'url'>,
  requests: Load['requests'],
  amount?: number,
  connections = CONNECTIONS,
): Promise<LoadResult> {
  const load: Load = { url: side.url, connections, requests, ...(amount ? { amount } : { seconds }) }
  const file = path.join(folder, 'load.json')
  fs.writeFileSync(file, JSON.stringify(load))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'load.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text: Buffer) => void (output += text.toString()))
  await new Promise((resolve) => child.once('exit', resolve))
  return JSON.parse(output.trim().split('\n').at(-1)!) as LoadResult
}

async function measure(side: Side, postgres: number, requests: Load['requests'], amount?: number): Promise<Measured> {
  const before = [cpuSeconds(side.pid), cpuSeconds(postgres, { children: true })] as const
  const result = await run(side, requests, amount)
  const perRequest = (used: number) => (used * 1000) / Math.max(1, result.requests)
  return {
    ...result,
    cpu: perRequest(cpuSeconds(side.pid) - before[0]),
    databaseCpu: perRequest(cpuSeconds(postgres, { children: true }) - before[1]),
  }
}

function assertAnswers({ name, expected, mayBeUnavailable }: Case, { statuses, errors }: LoadResult): void {
  const others = Object.entries(statuses).filter(
    ([status]) => Number(status) !== expected && !(mayBeUnavailable && status === '503'),
  )
  if (others.length > 0 || errors > 0) throw new Error(`${name}: ${errors} errors, ${JSON.stringify(statuses)}`)
}

/** What fails fast is nothing to compare with. */
function assertSucceeded({ name }: Case, { statuses, errors }: LoadResult): void {
  const failed = Object.keys(statuses).filter((status) => Number(status) >= 300)
  if (failed.length > 0 || errors > 0)
    throw new Error(`${name}, the bare server: ${errors} errors, ${JSON.stringify(statuses)}`)
}

async function main(): Promise<void> {
  console.log('Starting and seeding: some minutes.')
  const data = path.join(folder, 'stack')
  const stack = await startStack(data, Number(options.port))
  const seeded = await seed(stack)
  const vitrine: Side = { name: 'vitrine', url: stack.origin, pid: stack.pids.web }
  const bare = await startBare(stack.database_url)
  const next = options['peers-only']
    ? null
    : await startNextRoute(stack.database_url, path.join(root, '.test/bench-next'))
  const peers = options.peers || options['peers-only'] ? await startPeers(stack.database_url) : []
  const rows: Row[] = []
  const all = await casesOf(stack, seeded, {
    touch: () => touch(stack, seeded.collections),
    redemptions: await redemptionsOf(stack, data, WRITES),
  })
  const wanted = all.filter((each) => each.name.includes(options.only) && (each.peers || !options['peers-only']))
  for (const each of wanted) {
    const results: { vitrine: Measured; bare: Measured; next: Measured | null; peers: Measured[] }[] = []
    const asked = each.peers ? peers : []
    const first = each.vitrine.length > 0 ? each.vitrine : (await each.refresh!()).vitrine
    await run(vitrine, first.slice(0, 50), 50).catch(() => undefined) // compiled and connected
    const measurePeers = await measurerOf(asked, each.peers ?? 'item', seconds, (side, requests, amount) =>
      measure(side, stack.pids.postgres, requests, amount),
    )
    let unavailable = 0
    const resumeWorker = each.withoutWorker ? await pauseWorker(stack) : null
    // Reads have a round that isn't counted: both programs are compiled to what they stay. What writes use up isn't
    // spent on that.
    for (let round = each.refresh ? 0 : -1; round < rounds; round++) {
      await each.prepare?.()
      const fresh = (await each.refresh?.()) ?? each
      const measureOwn = async () => {
        const own = await measure(vitrine, stack.pids.postgres, fresh.vitrine, each.amount)
        assertAnswers(each, own)
        return own
      }
      const measureTheirs = async () => {
        const their = await measure(bare, stack.pids.postgres, fresh.bare, each.amount)
        assertSucceeded(each, their)
        return their
      }
      // They take turns in being asked first: PostgreSQL plans anew, and reads what was just written, for the first
      // one.
      const theirsFirst = round % 2 === 1 ? await measureTheirs() : null
      const own = await measureOwn()
      const their = theirsFirst ?? (await measureTheirs())
      const route = next && each.next ? await measure(next, stack.pids.postgres, each.next) : null
      if (round < 0) continue
      const answered = (own.statuses[each.expected] ?? 0) / Math.max(1, own.requests)
      unavailable += own.requests * (1 - answered)
      results.push({
        vitrine: { ...own, perSecond: own.perSecond * answered },
        bare: their,
        next: route,
        peers: await measurePeers(),
      })
    }
    resumeWorker?.()
    const row: Row = {
      name: unavailable > 0 ? `${each.name} (${Math.round(unavailable)} told to come again)` : each.name,
      atLeast: each.atLeast,
      share: median(results.map(({ vitrine: own, bare: their }) => (100 * own.perSecond) / their.perSecond)),
      perSecond: {
        vitrine: median(results.map(({ vitrine: own }) => own.perSecond)),
        bare: median(results.map(({ bare: their }) => their.perSecond)),
        next: next && each.next ? median(results.map(({ next: route }) => route!.perSecond)) : undefined,
      },
      p99: median(results.map(({ vitrine: own }) => own.p99)),
      webCpu: median(results.map(({ vitrine: own }) => own.cpu)),
      bareCpu: median(results.map(({ bare: their }) => their.cpu)),
      databaseCpu: median(results.map(({ vitrine: own }) => own.databaseCpu)),
      peers: figuresOf(asked, results),
    }
    rows.push(row)
    console.log(tableOf([row]).split('\n').at(-1))
  }
  const hasTwo = 'two web processes'.includes(options.only) && !options['peers-only']
  const resumeWorker = hasTwo ? await pauseWorker(stack) : null // it may still deliver what was sold
  const processes = hasTwo
    ? await compareTwoProcesses(
        stack,
        { vitrine: all[0]!.vitrine, bare: all[0]!.bare, firstBare: bare },
        rounds,
        (side, requests, times) => run(side, requests, undefined, times * CONNECTIONS),
      )
    : null
  resumeWorker?.()
  const tables = [tableOf(rows), peersTableOf(rows), processes ? processesTableOf(processes) : '']
  console.log(`\n${tables.join('\n\n')}\n`)
  const memory = await measureMemory(stack, vitrine, bare, all)
  console.log(memory.join('\n'))
  if (!options.dry && !options['peers-only']) writeReport(rows, { rounds, seconds, memory, processes })
}

/**
 * Resident memory of the web process when it has served every case, visited every route, and answered as many requests
 * of the reads, in ten parts: it stays below 400 MB and doesn't grow over the last half.
 */
async function measureMemory(stack: Stack, vitrine: Side, bare: Side, all: readonly Case[]): Promise<string[]> {
  const total = Number(options.memory)
  if (total === 0 || options['peers-only']) return []
  const reads = all.filter(({ amount, expected }) => !amount && expected === 200)
  const routes = await visitEveryRoute(stack)
  const parts: number[] = []
  for (let part = 0; part < 10; part++) {
    await run(
      vitrine,
      reads.flatMap(({ vitrine: requests }) => requests),
      total / 10,
    )
    parts.push(Math.round(residentMegabytes(vitrine.pid)))
  }
  await run(bare, reads[0]!.bare, total / 10)
  const growth = slope(parts.slice(5))
  const isKept = Math.max(...parts) <= MOST_MEGABYTES && growth <= MOST_GROWTH
  return [
    `Memory of the web process after a visit to ${routes} routes and each tenth of ${total.toLocaleString('en')} requests: ${parts.join(', ')} MB, ` +
      `at most ${MOST_MEGABYTES} MB; over the last half it grows by ${growth.toFixed(1)} MB a tenth, at most ${MOST_GROWTH} MB${isKept ? '' : ' ✗'}. ` +
      `The bare server: ${Math.round(residentMegabytes(bare.pid))} MB.`,
  ]
}

const MOST_MEGABYTES = 400
const MOST_GROWTH = 3

/** The slope of the line through equally distant values, by least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const over = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  return over / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}

try {
  await main()
} finally {
  await stopSides()
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit()
