// npm run mutate: small changes of the source, one at a time, and whether a test notices each. --slice: some of those
// that were noticed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import setUpPostgres from '../support/global-setup.ts'
import { root } from './areas.ts'
import { type Chosen, chooseMutants, findMutant, inOrderOf } from './choose.ts'
import { openWorkshop, orderedSolidityMutants } from './contracts.ts'
import { openKept } from './kept.ts'
import type { Verdict } from './lane.ts'
import { type Lane, NOT_LOADED, openLane } from './lanes.ts'
import type { Mutant } from './mutants.ts'
import { MAP, readMap, type Selection, testsOf, unmappedFiles } from './reach.ts'
import { type Result, sectionOf, shareOf, writeSection } from './report.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: 'vitrine' },
    /** 420 of the source, 100 of the contracts. */
    count: { type: 'string' },
    /** Only mutants of files whose path contains this. */
    only: { type: 'string', default: '' },
    /** The tests of each mutant are of so many files at most. */
    files: { type: 'string', default: '6' },
    /** Runs whole files in place of tests chosen from them. That takes minutes for a mutant, and is for survivors. */
    whole: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '2' },
    /** No mutant begins later than this. */
    minutes: { type: 'string', default: '600' },
    /**
     * Makes the map of which test file enters what anew: of all, of test files whose path contains this, or of those
     * that are `missing`.
     */
    map: { type: 'string' },
    /** Only mutants in what the map's test files enter, for a map of some of them. */
    mapped: { type: 'boolean', default: false },
    /** What is run although an earlier run, of which the results are kept, has run it: 'survivors' or 'all'. */
    again: { type: 'string', default: '' },
    /** As many of those that were noticed last time, by the commit, each against the test that noticed it. */
    slice: { type: 'string' },
    /** Mutants of the contracts instead, each against the contracts' own tests. */
    contracts: { type: 'boolean', default: false },
    /** Doesn't write the report and the list of what was noticed. */
    dry: { type: 'boolean', default: false },
  },
})

const NOTICED = path.join(import.meta.dirname, 'noticed.json')
const readJson = (file: string): Record<string, string> =>
  fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>) : {}
/** Mutants that no test can notice, with the reason. */
const equivalent = readJson(path.join(import.meta.dirname, 'equivalent.json'))
/** The tests that noticed mutants last time. */
const noticed = readJson(NOTICED)

/**
 * What a mutant's tests may take: many times their processor time, since a machine may be busy, and what starting
 * costs.
 */
const limitOf = (ms: number) => 60_000 + 30 * ms

type Task<T extends Mutant> = { mutant: T; tests: Selection[]; ms: number }
type Judged = Verdict | 'timed out'

const kept = openKept()

const nameOf = ({ file, test }: { file: string; test: string }) => `${file} › ${test}`
/** A test by what `nameOf` made. */
function selectionOf(name: string): Selection {
  const [file, ...rest] = name.split(' › ')
  return { file: file!, names: rest.length > 0 ? [rest.join(' › ')] : null }
}

const wholeFiles = (tests: readonly Selection[]) => tests.map(({ file }) => ({ file, names: null }))

/** Runs these tests; where none of them is there any more, their whole files. */
async function runTests<T extends Mutant>(lane: Lane, { mutant, tests, ms }: Task<T>): Promise<Judged> {
  const verdict = await lane.run({ mutant, tests }, limitOf(ms))
  if (verdict === 'timed out' || verdict.by || verdict.ran > 0) return verdict
  return lane.run({ mutant, tests: wholeFiles(tests) }, 10 * limitOf(ms))
}

/**
 * The same; but a test that fails without a change as well, since it needs those before it, says nothing: the whole
 * files are run then.
 */
async function judge<T extends Mutant>(lane: Lane, task: Task<T>): Promise<Judged> {
  const { mutant, tests, ms } = task
  const verdict = await runTests(lane, task)
  if (verdict === 'timed out' || !verdict.by || verdict.by.test === NOT_LOADED) return verdict
  const own = tests.find(({ file }) => file === verdict.by!.file)
  if (!own?.names || (await passesAlone(lane, verdict.by))) return verdict
  return lane.run({ mutant, tests: wholeFiles(tests) }, 10 * limitOf(ms))
}

async function passesAlone(lane: Lane, by: { file: string; test: string }): Promise<boolean> {
  const known = kept.passesAlone(nameOf(by))
  if (known !== undefined) return known
  const verdict = await lane.run({ mutant: null, tests: [selectionOf(nameOf(by))] }, limitOf(10_000))
  const passes = verdict !== 'timed out' && !verdict.by && verdict.ran > 0
  kept.keepAlone(nameOf(by), passes)
  return passes
}

/** A mutant that was noticed before is tried against the test that noticed it, before all others. */
async function judgeAgain<T extends Mutant>(lane: Lane, task: Task<T>): Promise<Judged> {
  const before = noticed[task.mutant.id]
  const verdict = before ? await judge(lane, { ...task, tests: [selectionOf(before)] }) : null
  return verdict && (verdict === 'timed out' || verdict.by) ? verdict : judge(lane, task)
}

const isReached = <T extends Mutant>({ mutant, tests }: Task<T>) => tests.length > 0 || mutant.id in noticed

/** Does the tasks in these many processes at once, and prints each as it ends. */
async function runAll<T extends Mutant, R>(
  tasks: readonly Task<T>[],
  run: (lane: Lane, task: Task<T>) => Promise<Judged>,
  done: (task: Task<T>, verdict: Judged, ms: number) => R,
): Promise<R[]> {
  const waiting = [...tasks]
  const results: R[] = []
  const until = Date.now() + Number(options.minutes) * 60_000
  const work = async (lane: Lane) => {
    for (let task = waiting.shift(); task && Date.now() < until; task = waiting.shift()) {
      const begun = performance.now()
      const verdict = isReached(task) ? await run(lane, task) : { by: null, ran: 0 }
      const took = Math.round(performance.now() - begun)
      const word = verdict === 'timed out' ? 'timed out' : verdict.by ? 'noticed' : 'SURVIVED'
      const by = verdict === 'timed out' || !verdict.by ? '' : `  (${nameOf(verdict.by)})`
      const { file, line, id } = task.mutant
      const number = String(tasks.length - waiting.length).padStart(4)
      console.log(`${number} ${word} ${took} ms  ${file}:${line}  ${id}${by}`)
      results.push(done(task, verdict, took))
    }
    await lane.close()
  }
  await Promise.all(Array.from({ length: Number(options.lanes) }, () => work(openLane())))
  return results
}

/** Runs the tests once, and notes what each file enters. */
async function makeMap(places: string): Promise<void> {
  fs.mkdirSync(MAP, { recursive: true })
  const files = places === 'missing' ? unmappedFiles() : places.split(',').filter(Boolean)
  if (places === 'missing' && files.length === 0) return
  const args = ['run', '--config', 'tests/mutation/vitest.config.ts', ...files]
  const child = spawn(process.execPath, [path.join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, REACH: options.lanes, LOG_LEVEL: 'silent' },
  })
  await once(child, 'close')
}

async function runSlice(count: number): Promise<boolean> {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const tasks: Task<Mutant>[] = []
  for (const [id, by] of inOrderOf(stdout.trim(), Object.entries(noticed), ([each]) => each)) {
    const test = selectionOf(by)
    const mutant = fs.existsSync(path.join(root, test.file)) ? findMutant(id) : null
    if (mutant) tasks.push({ mutant, tests: [test], ms: 0 })
    if (tasks.length === count) break
  }
  const survived = (
    await runAll(tasks, runTests, ({ mutant, tests: [test] }, verdict) =>
      verdict !== 'timed out' && !verdict.by ? `${mutant.file}:${mutant.line} ${mutant.id} (${test!.file})` : null,
    )
  ).filter((each) => each !== null)
  console.log(`${tasks.length - survived.length} of ${tasks.length} mutants were noticed.`)
  if (survived.length > 0)
    console.log(`No test notices these any more:\n${survived.map((each) => `  ${each}`).join('\n')}`)
  return survived.length === 0 && tasks.length === count
}

/** What must be noticed of the mutants of the source, and of those of the contracts. */
const LEAST = { source: 0.92, contracts: 0.95 }
const isEnough = (results: readonly Result[], least: number): boolean => {
  const { noticed, of, share } = shareOf(results)
  console.log(
    `${noticed} of ${of} mutants were noticed: ${(share * 100).toFixed(1)} %, at least ${least * 100} % are wanted.`,
  )
  return share >= least
}

const findKept = (mutant: Chosen) => {
  const found = options.again === 'all' ? null : kept.find(mutant)
  return options.again === 'survivors' && found?.outcome === 'survived' ? null : found
}

const minutesOf = (results: readonly Result[]) => Math.round(results.reduce((sum, { ms }) => sum + ms, 0) / 60_000)

async function runContracts(): Promise<boolean> {
  const { seed, only } = options
  const count = Number(options.count ?? '100')
  const until = Date.now() + Number(options.minutes) * 60_000
  const results: Result[] = []
  const workshop = await openWorkshop()
  try {
    for (const mutant of orderedSolidityMutants({ seed, only })) {
      if (results.length === count || Date.now() >= until) break
      const begun = performance.now()
      const known = findKept(mutant)
      const outcome = known?.outcome ?? (await workshop.judge(mutant))
      const ms = known?.ms ?? Math.round(performance.now() - begun)
      if (!known) kept.keep(mutant, { outcome, by: null, ms })
      if (outcome === 'same') continue
      results.push({ mutant, outcome, by: null, reason: equivalent[mutant.id] ?? null, ms })
      console.log(
        `${String(results.length).padStart(4)} ${outcome} ${ms} ms  ${mutant.file}:${mutant.line}  ${mutant.id}`,
      )
    }
  } finally {
    workshop.close()
  }
  const section = sectionOf('Mutants of the contracts', results, {
    command: `npm run mutate -- --contracts --seed ${seed} --count ${results.length}`,
    how: 'as many of each contract, each against the contracts’ own tests; those of which the compiler makes the same code or none are left out',
    minutes: minutesOf(results),
  })
  console.log(`\n${section}`)
  if (!options.dry && !only) writeSection(section)
  return isEnough(results, LEAST.contracts)
}

function taskOf(map: ReturnType<typeof readMap>, mutant: Chosen): Task<Chosen> {
  const { tests, ms } = testsOf(map, mutant, Number(options.files))
  return options.whole ? { mutant, tests: wholeFiles(tests), ms: 10 * ms } : { mutant, tests, ms }
}

async function runChosen(): Promise<boolean> {
  const map = readMap()
  const { seed, only } = options
  const chosen = chooseMutants({ seed, count: Number(options.count ?? '420'), only })
  for (const mutant of chosen) if (mutant.id in equivalent) kept.keep(mutant, { outcome: 'survived', by: null, ms: 0 })
  const tasks = inOrderOf(seed, chosen, ({ id }) => id)
    .filter((mutant) => !(mutant.id in equivalent) && !findKept(mutant))
    .map((mutant) => taskOf(map, mutant))
    .filter((task) => isReached(task) || !options.mapped)
  await runAll(tasks, judgeAgain, ({ mutant }, verdict, ms) => {
    const by = verdict === 'timed out' ? null : verdict.by
    const outcome = verdict === 'timed out' ? verdict : by ? 'noticed' : 'survived'
    kept.keep(mutant, { outcome, by: by && nameOf(by), ms })
  })
  const results = chosen.flatMap((mutant): Result[] => {
    const found = kept.find(mutant)
    return found && found.outcome !== 'same'
      ? [{ ...found, outcome: found.outcome, mutant, reason: equivalent[mutant.id] ?? null }]
      : []
  })
  const section = sectionOf('Mutants', results, {
    command: `npm run mutate -- --seed ${seed} --count ${chosen.length}${options.mapped ? ' --mapped' : ''}`,
    how: `each against tests that enter the changed function, of at most ${options.files} files, nearest first, until one fails (the map had ${map.length} test files)`,
    minutes: minutesOf(results),
  })
  console.log(`\n${section}`)
  if (!options.dry) {
    if (!only) writeSection(section)
    for (const { mutant, outcome, by } of results)
      if (outcome === 'noticed' && by?.startsWith('tests/')) noticed[mutant.id] = by
      else delete noticed[mutant.id]
    const sorted = Object.fromEntries(Object.entries(noticed).sort(([a], [b]) => (a < b ? -1 : 1)))
    fs.writeFileSync(NOTICED, `${JSON.stringify(sorted, null, 2)}\n`)
  }
  return isEnough(results, LEAST.source)
}

if (options.contracts) process.exit((await runContracts()) ? 0 : 1)

const endPostgres = await setUpPostgres()
let passed = false
try {
  const isMapped = fs.existsSync(MAP)
  if (options.map !== undefined || (!options.slice && !isMapped)) await makeMap(options.map ?? '')
  passed = options.slice ? await runSlice(Number(options.slice)) : await runChosen()
} finally {
  await endPostgres()
}
process.exit(passed ? 0 : 1)
