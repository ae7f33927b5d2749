import fs from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** What a file of tests took, in milliseconds. `parts` is empty for browser tests. */
export type FileTimes = { file: string; all: number; parts: Partial<Record<Part, number>> }

/**
 * `setup`: a database of its own; `load`: its modules; `tests`; `hooks`: its hooks and its end, such as the comparison
 * of its records.
 */
export const PARTS = ['setup', 'load', 'tests', 'hooks'] as const
type Part = (typeof PARTS)[number]

/** What failed: a test, what is around the tests of a file, or an error that nobody handled. */
export type Failure = { file: string; title: string; messages: string[] }

export type VitestReport = { passed: number; failures: Failure[]; files: FileTimes[] }

/** The environment's name for the file that the reporter writes. */
export const VITEST_REPORT = 'VITEST_REPORT'

const root = path.resolve(import.meta.dirname, '../..')

type Said = { message: string; stack?: string }

/** A stack begins with the message, except that of a test that ran out of time. */
const textOf = ({ message, stack = '' }: Said): string => (stack.includes(message) ? stack : `${message}\n${stack}`)

const failure = (file: string, title: string, errors: readonly Said[]): Failure => ({
  file: path.relative(root, file),
  title,
  messages: errors.map(textOf),
})

/** The failed tests of a file, and what failed before, between and after its tests. */
function failuresOf(module: TestModule): Failure[] {
  const { moduleId: file, children } = module
  const tests = [...children.allTests()]
  const around = [module, ...children.allSuites()].flatMap((part) => {
    const errors = part.errors()
    const place = part.type === 'module' ? 'the file' : part.fullName
    const title = tests.length > 0 ? `around the tests of ${place}` : 'can’t be loaded'
    return errors.length > 0 ? [failure(file, title, errors)] : []
  })
  return [
    ...tests
      .filter((test) => test.result().state === 'failed')
      .map((test) => failure(file, test.fullName, test.result().errors ?? [])),
    ...around,
  ]
}

function timesOf(module: TestModule): FileTimes {
  const { setupDuration: setup, collectDuration, prepareDuration, duration } = module.diagnostic()
  const tests = [...module.children.allTests()].reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)
  const load = collectDuration + prepareDuration
  return {
    file: path.relative(root, module.moduleId),
    all: setup + load + duration,
    parts: { setup, load, tests, hooks: Math.max(0, duration - tests) },
  }
}

/** Vitest's reporter of how many tests passed, all that failed, and what each file took. */
export default class VitestReporter implements Reporter {
  onTestRunEnd: Reporter['onTestRunEnd'] = (modules, unhandled) => {
    const passed = modules.flatMap(({ children }) => [...children.allTests('passed')]).length
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map((error) =>
        failure(String(error.VITEST_TEST_PATH ?? root), 'an error that nobody handled', [error]),
      ),
    ]
    const report: VitestReport = { passed, failures, files: modules.map(timesOf) }
    const file = process.env[VITEST_REPORT]
    if (file) fs.writeFileSync(file, JSON.stringify(report))
  }
}
