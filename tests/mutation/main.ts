// npm run mutate: small changes of the source, one at a time, and whether a test notices each. --slice: some of those that were noticed.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import setUpPostgres from '../support/global-setup.ts'
import { root } from './areas.ts'
import { type Chosen, chooseMutants, findMutant, inOrderOf } from './choose.ts'
import { type Lane, openLane } from './lanes.ts'
import type { Mutant } from './mutants.ts'
import { MAP, readMap, testsOf } from './reach.ts'
import { type Result, sectionOf, shareOf, writeSection } from './report.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: 'vitrine' },
    count: { type: 'string', default: '420' },
    /** Only mutants of files whose path contains this. */
    only: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
    /** No mutant begins later than this. */
    minutes: { type: 'string', default: '600' },
    /** Makes the map of which test file enters what anew: of all, or of test files whose path contains this. */
    map: { type: 'string' },
    /** Only mutants in what the map's test files enter, for a map of some of them. */
    mapped: { type: 'boolean', default: false },
    /** As many of those that were noticed last time, by the commit, each against the test file that noticed it. */
    slice: { type: 'string' },
    /** Doesn't write the report and the list of what was noticed. */
    dry: { type: 'boolean', default: false },
  },
})

const NOTICED = path.join(import.meta.dirname, 'noticed.json')
const readJson = (file: string): Record<string, string> =>
  fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>) : {}
/** Mutants that no test can notice, with the reason. */
const equivalent = readJson(path.join(import.meta.dirname, 'equivalent.json'))

/** What a mutant's tests may take: many times their processor time, since a machine may be busy, and what starting costs. */
const limitOf = (ms: number) => 60_000 + 30 * ms

type Task<T extends Mutant> = { mutant: T; files: string[]; ms: number }

/** Does the tasks in these many processes at once, and prints each as it ends. */
async function runAll<T extends Mutant, R>(
  tasks: readonly Task<T>[],
  done: (task: Task<T>, verdict: Awaited<ReturnType<Lane['run']>>, ms: number) => R,
): Promise<R[]> {
  const waiting = [...tasks]
  const results: R[] = []
  const until = Date.now() + Number(options.minutes) * 60_000
  const work = async (lane: Lane) => {
    for (let task = waiting.shift(); task && Date.now() < until; task = waiting.shift()) {
      const begun = performance.now()
      const { mutant, files, ms } = task
      const verdict = files.length > 0 ? await lane.run({ mutant, files }, limitOf(ms)) : { by: null, ran: 0 }
      const took = Math.round(performance.now() - begun)
      const word = verdict === 'timed out' ? 'timed out' : verdict.by ? 'noticed' : 'SURVIVED'
      const by = verdict === 'timed out' || !verdict.by ? '' : `  (${verdict.by.file} › ${verdict.by.test})`
      console.log(
        `${String(tasks.length - waiting.length).padStart(4)} ${word} ${took} ms  ${mutant.file}:${mutant.line}  ${mutant.id}${by}`,
      )
      results.push(done(task, verdict, took))
    }
    await lane.close()
  }
  await Promise.all(Array.from({ length: Number(options.lanes) }, () => work(openLane())))
  return results
}

/** Runs the tests once, and notes what each file enters. */
function makeMap(places: string): void {
  fs.mkdirSync(MAP, { recursive: true })
  const args = ['run', '--config', 'tests/mutation/vitest.config.ts', ...places.split(',').filter(Boolean)]
  spawnSync(process.execPath, [path.join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, REACH: '1', LOG_LEVEL: 'silent' },
  })
}

async function runSlice(count: number): Promise<boolean> {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const tasks: Task<Mutant>[] = []
  for (const [id, file] of inOrderOf(stdout.trim(), Object.entries(readJson(NOTICED)), ([each]) => each)) {
    const mutant = fs.existsSync(path.join(root, file)) ? findMutant(id) : null
    if (mutant) tasks.push({ mutant, files: [file], ms: 0 })
    if (tasks.length === count) break
  }
  const survived = (
    await runAll(tasks, ({ mutant, files }, verdict) =>
      verdict !== 'timed out' && !verdict.by ? `${mutant.file}:${mutant.line} ${mutant.id} (${files[0]})` : null,
    )
  ).filter((each) => each !== null)
  console.log(`${tasks.length - survived.length} of ${tasks.length} mutants were noticed.`)
  if (survived.length > 0)
    console.log(`No test notices these any more:\n${survived.map((each) => `  ${each}`).join('\n')}`)
  return survived.length === 0 && tasks.length === count
}

const minutesSince = (begun: number) => Math.round((Date.now() - begun) / 60_000)

const LEAST = 0.92
const isEnough = (results: readonly Result[]): boolean => {
  const { noticed, of, share } = shareOf(results)
  console.log(
    `${noticed} of ${of} mutants were noticed: ${(share * 100).toFixed(1)} %, at least ${LEAST * 100} % are wanted.`,
  )
  return share >= LEAST
}

async function runChosen(): Promise<boolean> {
  const begun = Date.now()
  const map = readMap()
  const { seed, only } = options
  const chosen = chooseMutants({ seed, count: Number(options.count), only })
  const tasks = inOrderOf(seed, chosen, ({ id }) => id)
    .map((mutant): Task<Chosen> => ({ mutant, ...testsOf(map, mutant.file, mutant.place) }))
    .filter(({ files }) => files.length > 0 || !options.mapped)
  const results = await runAll(tasks, ({ mutant }, verdict, ms): Result => {
    const by = verdict === 'timed out' ? null : verdict.by
    const outcome = verdict === 'timed out' ? verdict : by ? 'noticed' : 'survived'
    return { mutant, outcome, by: by?.file ?? null, reason: equivalent[mutant.id] ?? null, ms }
  })
  // By area, not in the order in which they ended.
  results.sort((a, b) => chosen.indexOf(a.mutant) - chosen.indexOf(b.mutant))
  const section = sectionOf('Mutants', results, {
    command: `npm run mutate -- --seed ${seed} --count ${chosen.length}${options.mapped ? ' --mapped' : ''}`,
    how: `each against at most 12 of ${map.length} test files, nearest first, until a test of those that enter the changed function fails`,
    minutes: minutesSince(begun),
  })
  console.log(`\n${section}`)
  if (!options.dry) {
    if (!only) writeSection(section)
    const noticed = only ? readJson(NOTICED) : {}
    for (const { mutant, outcome, by } of results)
      if (outcome === 'noticed' && by?.startsWith('tests/')) noticed[mutant.id] = by
    const sorted = Object.fromEntries(Object.entries(noticed).sort(([a], [b]) => (a < b ? -1 : 1)))
    fs.writeFileSync(NOTICED, `${JSON.stringify(sorted, null, 2)}\n`)
  }
  return isEnough(results)
}

const endPostgres = await setUpPostgres()
let passed = false
try {
  const isMapped = fs.existsSync(MAP)
  if (options.map !== undefined || (!options.slice && !isMapped)) makeMap(options.map ?? '')
  passed = options.slice ? await runSlice(Number(options.slice)) : await runChosen()
} finally {
  await endPostgres()
}
process.exit(passed ? 0 : 1)
