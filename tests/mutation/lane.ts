// One of the processes of npm run mutate: runs the tests of one mutant after the other, with one PostgreSQL and one
// Vite for all.
import path from 'node:path'
import { createVitest, type Reporter } from 'vitest/node'
import { root } from './areas.ts'
import { CHANGE } from './change.ts'
import { NOT_LOADED } from './lanes.ts'
import type { Mutant } from './mutants.ts'
import type { Selection } from './reach.ts'

export type Order = { mutant: Pick<Mutant, 'file' | 'from' | 'to' | 'text'> | null; tests: Selection[] }
/** The first test that failed, null where none did, and how many ran. */
export type Verdict = { by: { file: string; test: string } | null; ran: number }

process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${path.join(import.meta.dirname, 'hook.ts')}`
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/node-compile')

let verdict: Verdict = { by: null, ran: 0 }
const fail = (file: string, test: string) => (verdict.by ??= { file, test })
const reporter: Reporter = {
  onTestCaseResult: (test) => {
    const { state } = test.result()
    if (state !== 'skipped') verdict.ran++
    if (state === 'failed') fail(path.relative(root, test.module.moduleId), test.fullName)
  },
  onTestModuleEnd: (module) => {
    if (module.state() === 'failed') fail(path.relative(root, module.moduleId), NOT_LOADED)
  },
  onTestRunEnd: (_, errors) => {
    if (errors.length > 0) fail('the run', errors[0]!.message)
  },
}

const vitest = await createVitest('test', {
  root,
  config: path.join(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  cache: false,
  reporters: [reporter],
})
await vitest.standalone()

/**
 * What only these tests match, whether their names and those around them are parted as reports do it or by a blank
 * alone.
 */
const patternOf = (names: readonly string[]): RegExp =>
  new RegExp(`^ ?(?:${names.map((name) => name.split(' > ').map(RegExp.escape).join(' (?:> )?')).join('|')})$`)

async function run({ mutant, tests }: Order): Promise<Verdict> {
  const before = process.env[CHANGE]
  if (mutant) {
    const { file, from, to, text } = mutant
    process.env[CHANGE] = JSON.stringify({ file, from, to, text })
  } else delete process.env[CHANGE]
  for (const change of [before, process.env[CHANGE]])
    if (change) vitest.invalidateFile(path.join(root, (JSON.parse(change) as { file: string }).file))
  verdict = { by: null, ran: 0 }
  const specifications = tests.flatMap(({ file, names }) =>
    vitest
      .getModuleSpecifications(path.join(root, file))
      .map(({ project, moduleId }) =>
        project.createSpecification(moduleId, names ? { testNamePattern: patternOf(names) } : {}),
      ),
  )
  await vitest.runTestSpecifications(specifications)
  return verdict
}

process.on('message', (order: Order | 'end') => {
  if (order === 'end') void vitest.close().finally(() => process.exit(0))
  else
    run(order).then(
      (result) => process.send!(result),
      (error: unknown) => process.send!({ by: { file: 'the run', test: String(error) }, ran: 0 } satisfies Verdict),
    )
})
process.on('disconnect', () => void vitest.close().finally(() => process.exit(1)))
process.send!('ready')
