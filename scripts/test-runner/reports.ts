import fs from 'node:fs'
import type { Ended } from './run-shown.ts'

export type Count = { passed: number; failed: number }

/** A command that succeeds or fails is one test. */
export const countCommand = ({ code }: Ended): Count =>
  code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

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
  testResults: { status: string; assertionResults: unknown[] }[]
}

export function countVitest(file: string, ended: Ended): Count {
  const report = readReport<VitestReport>(file)
  if (!report) return withUncounted({ passed: 0, failed: 0 }, ended)
  // A file that can't be loaded has no tests to count, and counts as one.
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  )
  return withUncounted({ passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length }, ended)
}

type PlaywrightReport = { stats: { expected: number; flaky: number; unexpected: number } }

export function countPlaywright(file: string, ended: Ended): Count {
  const stats = readReport<PlaywrightReport>(file)?.stats
  return withUncounted({ passed: stats ? stats.expected + stats.flaky : 0, failed: stats?.unexpected ?? 0 }, ended)
}

const readReport = <T>(file: string): T | null =>
  fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as T) : null
