// Runs the test suites, shows their output, and counts what passed in all of them.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endRunning } from '../launcher/processes.ts'
import { bold, dim, red, say } from '../launcher/steps.ts'
import { stopOnSignal } from '../launcher/stop-on-signal.ts'
import { changedFiles, selectChanged } from './changed.ts'
import { type Options, readOptions } from './options.ts'
import { countingProcessorTime, secondsBusy } from './processor-time.ts'
import type { Count } from './reports.ts'
import { endShown } from './run-shown.ts'
import { select } from './select.ts'
import { LANES, reports, results, root, type Selection, type Suite } from './suites.ts'
import { type SuiteTimes, timesTables } from './times.ts'

// Compiled code is cached for all processes of the tests: each of them loads hundreds of packages.
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/node-compile')

stopOnSignal(async () => {
  await Promise.all([endRunning(), endShown()])
  process.exit(1)
})

type Part = { suite: Suite; selection: Selection }
type Plan = { options: Options; lanes: Part[][]; leftOut: string }

/** The suites to run in their lanes; one lane where there is one core. */
function plan(): Plan {
  try {
    const options = readOptions(process.argv.slice(2))
    const suites = LANES.flat()
    const { selected, leftOut } =
      options.changed === null
        ? { selected: select(suites, options.names, root), leftOut: '' }
        : selectChanged(suites, changedFiles(root, options.changed), root)
    const lanes = LANES.map((lane) =>
      lane.flatMap((suite): Part[] => {
        const selection = selected.get(suite)
        return selection ? [{ suite, selection }] : []
      }),
    ).filter((lane) => lane.length > 0)
    return { options, lanes: os.availableParallelism() > 1 ? lanes : [lanes.flat()], leftOut }
  } catch (error) {
    say(red((error as Error).message))
    process.exit(1)
  }
}

const { options, lanes, leftOut } = plan()
fs.rmSync(results, { recursive: true, force: true })
fs.mkdirSync(results, { recursive: true })

const total: Count = { passed: 0, failed: 0 }
const broken: string[] = []
const shownAgain: string[] = []
const times: SuiteTimes[] = []
const endings = new Map(lanes.flat().map(({ suite }) => [suite.name, Promise.withResolvers<void>()]))

/** Does some work, and gives what it took. */
async function timing<T>(name: string, work: () => Promise<T>): Promise<[result: T, took: SuiteTimes]> {
  const [started, busy] = [performance.now(), secondsBusy()]
  const [result, { seconds: processor }] = await countingProcessorTime(work)
  return [result, { name, seconds: (performance.now() - started) / 1000, processor, busy: secondsBusy() - busy }]
}

async function run({ suite, selection }: Part, label: string): Promise<void> {
  if (suite.after) await endings.get(suite.after)?.promise
  say(bold(`▸ ${suite.name}`))
  const [{ passed, failed, failures = [] }, took] = await timing(suite.name, () =>
    suite.run(label, selection).catch((error: Error): Count => {
      say(red(error.message.replace(/^/gm, label)))
      return { passed: 0, failed: 1 }
    }),
  )
  total.passed += passed
  total.failed += failed
  times.push(took)
  if (failed > 0) broken.push(suite.name)
  shownAgain.push(...failures)
  const outcome = failed > 0 ? red(`✗ ${suite.name}: ${failed} failed`) : bold(`✓ ${suite.name}`)
  say(`${outcome} ${dim(`${passed} passed in ${Math.round(took.seconds)} s`)}`)
  endings.get(suite.name)?.resolve()
}

const load = os.loadavg()[0]!
const [, all] = await timing('all', () =>
  Promise.all(
    lanes.map(async (lane) => {
      for (const part of lane) await run(part, lanes.length > 1 ? dim(`${part.suite.name.padEnd(11)} │ `) : '')
    }),
  ),
)
if (options.times) {
  const processor = times.reduce<number | null>(
    (sum, each) => (each.processor === null ? sum : (sum ?? 0) + each.processor),
    null,
  )
  say(`\n${timesTables({ suites: times, total: { ...all, processor }, load }, reports)}`)
}
if (broken.length > 0) say(red(`\nFailed: ${broken.join('; ')}`))
for (const text of shownAgain) say(`\n${text}`)
say(`\n${total.passed} passed, ${total.failed} failed${leftOut}`)
process.exit(total.failed > 0 ? 1 : 0)
