import fs from 'node:fs'
import path from 'node:path'
import type { Reporter } from 'vitest/node'

/** What a file of tests took, in milliseconds. `parts` is empty for browser tests. */
export type FileTimes = { file: string; all: number; parts: Partial<Record<Part, number>> }

/**
 * `setup`: a database of its own; `load`: its modules; `tests`; `hooks`: its hooks and its end, such as the comparison
 * of its records.
 */
export const PARTS = ['setup', 'load', 'tests', 'hooks'] as const
type Part = (typeof PARTS)[number]

/** The environment's name for the file that the reporter writes. */
export const FILE_TIMES = 'FILE_TIMES'

const root = path.resolve(import.meta.dirname, '../..')

/** Vitest's reporter of what each file took. */
export default class FileTimesReporter implements Reporter {
  private readonly times: FileTimes[] = []

  onTestModuleEnd: Reporter['onTestModuleEnd'] = (module) => {
    const { setupDuration: setup, collectDuration, prepareDuration, duration } = module.diagnostic()
    const tests = [...module.children.allTests()].reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)
    const load = collectDuration + prepareDuration
    this.times.push({
      file: path.relative(root, module.moduleId),
      all: setup + load + duration,
      parts: { setup, load, tests, hooks: Math.max(0, duration - tests) },
    })
  }

  onTestRunEnd: Reporter['onTestRunEnd'] = () => {
    const file = process.env[FILE_TIMES]
    if (file) fs.writeFileSync(file, JSON.stringify(this.times))
  }
}
