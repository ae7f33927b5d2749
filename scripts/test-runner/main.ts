// Runs the test suites, shows their output, and counts what passed in all of them.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endRunning } from '../launcher/processes.ts'
import { bold, dim, red, say } from '../launcher/steps.ts'
import { stopOnSignal } from '../launcher/stop-on-signal.ts'
import type { Count } from './reports.ts'
import { endShown } from './run-shown.ts'
import { select } from './select.ts'
import { results, root, type Selection, STAGES, type Suite } from './suites.ts'

// Compiled code is cached for all processes of the tests: each of them loads hundreds of packages.
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/node-compile')

stopOnSignal(async () => {
  await Promise.all([endRunning(), endShown()])
  process.exit(1)
})

type Part = { suite: Suite; selection: Selection }

/** The suites to run, in stages and lanes; one lane where there is one core. */
function plan(): Part[][][] {
  try {
    const selected = select(STAGES.flat(2), process.argv.slice(2), root)
    const partsOf = (lane: Suite[]): Part[] =>
      lane.flatMap((suite) => {
        const selection = selected.get(suite)
        return selection ? [{ suite, selection }] : []
      })
    return STAGES.map((stage) => {
      const lanes = stage.map(partsOf).filter((lane) => lane.length > 0)
      return os.availableParallelism() > 1 ? lanes : [lanes.flat()]
    })
  } catch (error) {
    say(red((error as Error).message))
    process.exit(1)
  }
}

const stages = plan()
fs.rmSync(results, { recursive: true, force: true })
fs.mkdirSync(results, { recursive: true })

const total: Count = { passed: 0, failed: 0 }
const broken: string[] = []
const shownAgain: string[] = []
const endings = new Map(stages.flat(2).map(({ suite }) => [suite.name, Promise.withResolvers<void>()]))

async function run({ suite, selection }: Part, label: string): Promise<void> {
  if (suite.after) await endings.get(suite.after)?.promise
  const started = Date.now()
  say(bold(`▸ ${suite.name}`))
  const {
    passed,
    failed,
    failures = [],
  } = await suite.run(label, selection).catch((error: Error): Count => {
    say(red(error.message.replace(/^/gm, label)))
    return { passed: 0, failed: 1 }
  })
  total.passed += passed
  total.failed += failed
  if (failed > 0) broken.push(suite.name)
  shownAgain.push(...failures)
  const outcome = failed > 0 ? red(`✗ ${suite.name}: ${failed} failed`) : bold(`✓ ${suite.name}`)
  say(`${outcome} ${dim(`${passed} passed in ${Math.round((Date.now() - started) / 1000)} s`)}`)
  endings.get(suite.name)?.resolve()
}

for (const lanes of stages)
  await Promise.all(
    lanes.map(async (lane) => {
      for (const part of lane) await run(part, lanes.length > 1 ? dim(`${part.suite.name.padEnd(11)} │ `) : '')
    }),
  )
if (broken.length > 0) say(red(`\nFailed: ${broken.join('; ')}`))
for (const text of shownAgain) say(`\n${text}`)
say(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)
