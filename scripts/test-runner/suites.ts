import path from 'node:path'
import { buildPages } from '../launcher/build.ts'
import { freeStackPort } from '../launcher/ports.ts'
import { assertPython } from './python.ts'
import { findChromium, HOW_TO_GET_CHROMIUM } from './chromium.ts'
import { addTo, type Count, countCommand, countForge, countPlaywright, countVitest } from './reports.ts'
import { runShown } from './run-shown.ts'
import { countAnswers } from './answers.ts'

export const root = path.resolve(import.meta.dirname, '../..')
export const results = path.join(root, '.test')
/** Where the tests note which answers of the API they got. */
const answers = path.join(results, 'answers')

/** The part of a suite to run: all of it, or these of its names and files. */
export type Selection = 'all' | { names: string[]; files: string[] }

export type Suite = {
  name: string
  /** The names that the command line has for it, or for its parts. */
  covers: string[]
  /** Whether a file of the repository is one of its tests. */
  owns?: (file: string) => boolean
  /** A suite of another lane that must end first, where it runs as well. */
  after?: string
  run: (label: string, selection: Selection) => Promise<Count>
}

const FOLDERS = ['unit', 'domain', 'api', 'chain', 'security', 'faults', 'simulation']

/** One command after the other, up to the first that fails. */
async function runAll(label: string, ...commands: [string, ...string[]][]): Promise<Count> {
  let count: Count = { passed: 0, failed: 0 }
  for (const command of commands) {
    count = countCommand(await runShown(label, command))
    if (count.failed > 0) break
  }
  return count
}

const format: Suite = {
  name: 'format',
  covers: ['format'],
  run: (label) =>
    runAll(
      label,
      ['prettier', '--check', '.', '--log-level', 'warn'],
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
  run: (label) => runAll(label, ['next', 'typegen'], ['tsc', '--noEmit']),
}

const lint: Suite = {
  name: 'lint',
  covers: ['lint'],
  after: 'build',
  run: (label) => runAll(label, ['eslint', '.', '--max-warnings', '0']),
}

const contracts: Suite = {
  name: 'contracts',
  covers: ['contracts'],
  owns: (file) => file.endsWith('.t.sol'),
  run: async (label, selection) => {
    const files = selection === 'all' || selection.names.length > 0 ? [] : selection.files
    const match = files.length > 0 ? ['--match-path', files.length > 1 ? `{${files.join(',')}}` : files[0]!] : []
    return countForge(await runShown(label, ['node', 'scripts/forge.mjs', 'test', ...match]))
  },
}

const coverage: Suite = {
  name: 'coverage',
  covers: ['coverage'],
  run: (label) => runAll(label, ['node', 'scripts/contracts-coverage.ts']),
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
    const report = path.join(results, 'vitest.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const isWhole = places.length === 0
    const ended = await runShown(label, ['vitest', 'run', ...reporters, ...places], isWhole ? { ANSWERS: answers } : {})
    const count = countVitest(report, ended)
    return isWhole ? addTo(count, countAnswers(answers, path.join(results, 'answers.md'))) : count
  },
}

/** How many faults a run plants in the source. Which ones depends on the commit. */
const MUTANTS = '20'

const mutants: Suite = {
  name: 'mutants',
  covers: ['mutants'],
  run: (label) => runAll(label, ['node', 'tests/mutation/main.ts', '--slice', MUTANTS]),
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
    const report = path.join(results, 'playwright.json')
    const files = selection === 'all' || selection.names.length > 0 ? [] : selection.files
    const ended = await runShown(label, ['playwright', 'test', '--reporter=list,json', ...files], {
      CHROMIUM_PATH: chromium,
      E2E_PORT: process.env.E2E_PORT ?? String(await freeStackPort()),
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    })
    return countPlaywright(report, ended)
  },
}

/**
 * Stages run one after the other, the lanes of a stage side by side, the suites of a lane one after the other. The
 * checks of the first stage mostly use one core each; the tests of the others use two by themselves.
 */
export const STAGES: Suite[][][] = [
  [
    [build, contracts, coverage],
    [format, unused, documents, types, lint],
  ],
  [[vitest]],
  [[mutants]],
  [[browser]],
]
