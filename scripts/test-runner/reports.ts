import fs from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Ended } from './run-shown.ts'
import type { Failure, FileTimes, VitestReport } from './vitest-report.ts'

export type Count = {
  passed: number
  failed: number
  /** Texts about failed tests to show once more at the end of the run, one each. */
  failures?: string[]
}

/** The sum of two counts. */
export const addTo = (count: Count, more: Count): Count => ({
  passed: count.passed + more.passed,
  failed: count.failed + more.failed,
  failures: [...(count.failures ?? []), ...(more.failures ?? [])],
})

/** As many lines of a failure are shown once more: the end of a long run must tell enough to begin. */
const LINES = 12

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line.slice(0, 300)}`)

/** The first lines of what failed. */
function shown({ file, title, messages }: Failure): string {
  const said = stripVTControlCharacters(messages.join('\n')).split('\n').slice(0, LINES)
  return [`${file} › ${title}`, ...indented(said)].join('\n')
}

/** A run that failed without naming what failed: at least one failure is counted, and its last lines are shown. */
function withUnnamed(count: Count, { code, command, output }: Ended): Count {
  if (code === 0 || (count.failures ?? []).length > 0) return count
  const last = output.trimEnd().split('\n').slice(-LINES)
  const text = [`${command} ended with code ${code}`, ...indented(last)].join('\n')
  return { ...count, failed: Math.max(1, count.failed), failures: [text] }
}

/** A command that succeeds or fails is one test. */
export const countCommand = (ended: Ended): Count => withUnnamed({ passed: ended.code === 0 ? 1 : 0, failed: 0 }, ended)

export function countForge(ended: Ended): Count {
  const summary = [...ended.output.matchAll(/(\d+) tests? passed, (\d+) failed/g)].at(-1)
  return withUnnamed({ passed: Number(summary?.[1] ?? 0), failed: Number(summary?.[2] ?? 0) }, ended)
}

export function countVitest(file: string, ended: Ended): Count {
  const { passed = 0, failures = [] } = readReport<VitestReport>(file) ?? {}
  return withUnnamed({ passed, failed: failures.length, failures: failures.map(shown) }, ended)
}

type PlaywrightSuite = {
  file: string
  suites?: PlaywrightSuite[]
  specs?: {
    title: string
    ok: boolean
    tests: { results: { duration?: number; error?: { message?: string } }[] }[]
  }[]
}
type PlaywrightReport = {
  stats: { expected: number; flaky: number; unexpected: number }
  suites?: PlaywrightSuite[]
}

const failuresIn = (suites: readonly PlaywrightSuite[] = []): string[] =>
  suites.flatMap(({ file, specs = [], suites: inner }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) =>
        shown({
          file: path.join('tests/e2e', file),
          title,
          messages: tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')),
        }),
      ),
    ...failuresIn(inner),
  ])

export function countPlaywright(file: string, ended: Ended): Count {
  const report = readReport<PlaywrightReport>(file)
  if (!report) return withUnnamed({ passed: 0, failed: 0 }, ended)
  const { expected, flaky, unexpected } = report.stats
  const failures = failuresIn(report.suites)
  return withUnnamed({ passed: expected + flaky, failed: unexpected, failures }, ended)
}

const millisecondsIn = ({ specs = [], suites = [] }: PlaywrightSuite): number =>
  specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration = 0 }) => duration)))
    .concat(suites.map(millisecondsIn))
    .reduce((sum, ms) => sum + ms, 0)

/** What each file of a run of Vitest took; nothing without a report. */
export const vitestTimes = (file: string): FileTimes[] => readReport<VitestReport>(file)?.files ?? []

/** What the tests of each file of a browser run took together; nothing without a report. */
export const playwrightTimes = (file: string): FileTimes[] =>
  (readReport<PlaywrightReport>(file)?.suites ?? []).map((suite) => ({
    file: path.join('tests/e2e', suite.file),
    all: millisecondsIn(suite),
    parts: {},
  }))

const readReport = <T>(file: string): T | null =>
  fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as T) : null
