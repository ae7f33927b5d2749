import fs from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { FileTimes } from './file-times.ts'
import type { Ended } from './run-shown.ts'

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

/** A command that succeeds or fails is one test. */
export const countCommand = ({ code }: Ended): Count =>
  code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

/** The first lines of what a failed test said: the end of a long run must tell enough to begin. */
const failure = (file: string, title: string, messages: readonly string[]): string => {
  // Vitest's report doesn't say more of a test that ran out of time.
  const isTimeout = messages[0]?.startsWith('Error: STACK_TRACE_ERROR') ?? false
  const text = isTimeout ? 'It ran out of time.' : stripVTControlCharacters(messages.join('\n'))
  const said = text.split('\n').slice(0, 12)
  return [`${path.relative(process.cwd(), file)} › ${title}`, ...said.map((line) => `  ${line.slice(0, 300)}`)].join(
    '\n',
  )
}

/** A run that failed without naming a failed test has one that couldn't be counted. */
const withUncounted = (count: Count, { code }: Ended): Count =>
  code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count

export function countForge(ended: Ended): Count {
  const summary = [...ended.output.matchAll(/(\d+) tests? passed, (\d+) failed/g)].at(-1)
  return withUncounted({ passed: Number(summary?.[1] ?? 0), failed: Number(summary?.[2] ?? 0) }, ended)
}

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

export function countVitest(file: string, ended: Ended): Count {
  const report = readReport<VitestReport>(file)
  if (!report) return withUncounted({ passed: 0, failed: 0 }, ended)
  // A file that can't be loaded has no tests to count, and counts as one.
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  )
  const failures = [
    ...report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => failure(name, fullName, failureMessages ?? [])),
    ),
    ...unloaded.map(({ name, message }) => failure(name, 'can’t be loaded', [message ?? ''])),
  ]
  const failed = report.numFailedTests + unloaded.length
  return withUncounted({ passed: report.numPassedTests, failed, failures }, ended)
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
        failure(
          path.join('tests/e2e', file),
          title,
          tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? '')),
        ),
      ),
    ...failuresIn(inner),
  ])

export function countPlaywright(file: string, ended: Ended): Count {
  const report = readReport<PlaywrightReport>(file)
  if (!report) return withUncounted({ passed: 0, failed: 0 }, ended)
  const { expected, flaky, unexpected } = report.stats
  const failures = failuresIn(report.suites)
  return withUncounted({ passed: expected + flaky, failed: unexpected, failures }, ended)
}

const millisecondsIn = ({ specs = [], suites = [] }: PlaywrightSuite): number =>
  specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration = 0 }) => duration)))
    .concat(suites.map(millisecondsIn))
    .reduce((sum, ms) => sum + ms, 0)

/** What the tests of each file of a browser run took together; nothing without a report. */
export const playwrightTimes = (file: string): FileTimes[] =>
  (readReport<PlaywrightReport>(file)?.suites ?? []).map((suite) => ({
    file: path.join('tests/e2e', suite.file),
    all: millisecondsIn(suite),
    parts: {},
  }))

const readReport = <T>(file: string): T | null =>
  fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as T) : null
