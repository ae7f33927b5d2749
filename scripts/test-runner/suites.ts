import path from 'node:path'
import { buildPages } from '../launcher/build.ts'
import { freeStackPort } from '../launcher/ports.ts'
import { assertPython } from './python.ts'
import { findChromium, HOW_TO_GET_CHROMIUM } from './chromium.ts'
import { addTo, type Count, countCommand, countForge, countPlaywright, countVitest } from './reports.ts'
import { runShown } from './run-shown.ts'
import { countAnswers } from './answers.ts'
import { REACH } from './reach.ts'
import { VITEST_REPORT } from './vitest-report.ts'

export const root = path.resolve(import.meta.dirname, '../..')
export const results = path.join(root, '.test')
/** Where the tests note which answers of the API they got. */
const answers = path.join(results, 'answers')
/** What the suites write of their tests. */
export const reports = {
  vitest: path.join(results, 'vitest.json'),
  playwright: path.join(results, 'playwright.json'),
}

/** The part of a suite to run: all of it, or these of its names and files. */
export type Selection = 'all' | { names: string[]; files: string[] }

export type Suite = {
  name: string
  /** The names that the command line has for it, or for its parts. */
  covers: string[]
  /** Whether a file of the repository is one of its tests. */
  owns?: (file: string) => boolean
  /** Whether it checks a file of the repository; `--changed` runs it for those. */
  checks?: (file: string) => boolean
  /** A suite of another lane that must end first, where it runs as well. */
  after?: string
  run: (label: string, selection: Selection) => Promise<Count>
}

const FOLDERS = ['unit', 'domain', 'api', 'chain', 'security', 'faults', 'simulation']

/** Lint and types take a fifth less time by it. */
const YOUNG_SPACE = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`.trim() }

/** A check of source files. It gives way to the tests, which wait for each other's answers. */
const runCheck = async (label: string, command: [string, ...string[]]): Promise<Count> =>
  countCommand(await runShown(label, command, { settings: YOUNG_SPACE, givesWay: true }))

/** One check after the other, up to the first that fails. */
async function runAll(label: string, ...commands: [string, ...string[]][]): Promise<Count> {
  let count: Count = { passed: 0, failed: 0 }
  for (const command of commands) {
    count = await runCheck(label, command)
    if (count.failed > 0) break
  }
  return count
}

/** The files to check: these, or `all` when the suite was named. */
const filesOf = (selection: Selection, ...all: string[]): string[] =>
  selection === 'all' || selection.names.length > 0 ? all : selection.files

const isCode = (file: string) => /\.(ts|tsx|mjs)$/.test(file)

const format: Suite = {
  name: 'format',
  covers: ['format'],
  checks: () => true,
  run: (label, selection) =>
    runAll(
      label,
      ['prettier', '--check', '--ignore-unknown', '--log-level', 'warn', ...filesOf(selection, '.')],
      ['node', 'scripts/forge.mjs', 'fmt', '--check', 'contracts'],
    ),
}

const unused: Suite = {
  name: 'unused code',
  covers: ['knip'],
  run: (label) => runAll(label, ['knip', '--no-progress']),
}

const documents: Suite = {
  name: 'OpenAPI lint',
  covers: ['openapi'],
  run: (label) => runAll(label, ['node', 'scripts/openapi-lint.ts']),
}

// These two read the types of the routes, which a build removes for a moment.
const types: Suite = {
  name: 'types',
  covers: ['types'],
  after: 'build',
  checks: isCode,
  run: (label) => runAll(label, ['next', 'typegen'], ['tsc', '--noEmit']),
}

const lint: Suite = {
  name: 'lint',
  covers: ['lint'],
  after: 'build',
  checks: isCode,
  run: (label, selection) =>
    runAll(
      label,
      ['oxlint', '--no-error-on-unmatched-pattern', ...filesOf(selection, '.')],
      ['eslint', '--max-warnings', '0', '--no-warn-ignored', ...filesOf(selection, '.')],
    ),
}

const contracts: Suite = {
  name: 'contracts',
  covers: ['contracts'],
  owns: (file) => file.endsWith('.t.sol'),
  checks: (file) => file.endsWith('.sol'),
  run: async (label, selection) => {
    const files = filesOf(selection)
    const areTests = files.every((file) => file.endsWith('.t.sol'))
    const match =
      areTests && files.length > 0 ? ['--match-path', files.length > 1 ? `{${files.join(',')}}` : files[0]!] : []
    return countForge(await runShown(label, ['node', 'scripts/forge.mjs', 'test', ...match], { givesWay: true }))
  },
}

const coverage: Suite = {
  name: 'coverage',
  covers: ['coverage'],
  run: (label) => runAll(label, ['node', 'scripts/contracts-coverage.ts', '--unless-noted']),
}

const vitest: Suite = {
  name: 'vitest',
  covers: FOLDERS,
  owns: (file) => file.endsWith('.test.ts'),
  run: async (label, selection) => {
    assertPython()
    const { names, files } = selection === 'all' ? { names: [], files: [] } : selection
    const places = [
      ...names.map((folder) => `tests/${folder}/`),
      ...(names.includes('unit') ? ['tests/architecture.test.ts'] : []),
      ...files,
    ]
    const reporters = ['--reporter=default', '--reporter=./scripts/test-runner/vitest-report.ts']
    const isWhole = places.length === 0
    const ended = await runShown(label, ['vitest', 'run', ...reporters, ...places], {
      settings: { [VITEST_REPORT]: reports.vitest, [REACH]: '1', ...(isWhole && { ANSWERS: answers }) },
    })
    const count = countVitest(reports.vitest, ended)
    return isWhole ? addTo(count, countAnswers(answers, path.join(results, 'answers.md'))) : count
  },
}

/** How many faults a run plants in the source. Which ones depends on the commit. */
const MUTANTS = '20'

const mutants: Suite = {
  name: 'mutants',
  covers: ['mutants'],
  after: 'vitest',
  // One at a time and with the same right to the cores: one that takes too long counts as noticed.
  run: async (label) =>
    countCommand(await runShown(label, ['node', 'tests/mutation/main.ts', '--slice', MUTANTS, '--lanes', '1'])),
}

const build: Suite = {
  name: 'build',
  covers: ['build'],
  run: () => buildPages(root).then(() => ({ passed: 1, failed: 0 })),
}

const browser: Suite = {
  name: 'e2e',
  covers: ['e2e'],
  owns: (file) => file.endsWith('.spec.ts'),
  run: async (label, selection) => {
    const chromium = findChromium()
    if (!chromium) throw new Error(HOW_TO_GET_CHROMIUM)
    await buildPages(root)
    const ended = await runShown(label, ['playwright', 'test', '--reporter=list,json', ...filesOf(selection)], {
      settings: {
        CHROMIUM_PATH: chromium,
        E2E_PORT: process.env.E2E_PORT ?? String(await freeStackPort()),
        PLAYWRIGHT_JSON_OUTPUT_NAME: reports.playwright,
      },
    })
    return countPlaywright(reports.playwright, ended)
  },
}

/**
 * Lanes run side by side, the suites of a lane one after the other. The first lane's mostly wait: for blocks, mails,
 * processes. The second's compute, and use what the first leaves of the cores.
 */
export const LANES: Suite[][] = [
  [build, vitest, browser],
  [contracts, coverage, format, unused, documents, types, lint, mutants],
]
