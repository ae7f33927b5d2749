// Runs the test suites one after the other, shows their output, and counts what passed over all of them. Names of suites run
// only those, and paths of test files only these files.
import fs from 'node:fs'
import path from 'node:path'
import { buildPages } from '../launcher/build.ts'
import { freeStackPort } from '../launcher/ports.ts'
import { endRunning } from '../launcher/processes.ts'
import { bold, red, say } from '../launcher/steps.ts'
import { stopOnSignal } from '../launcher/stop-on-signal.ts'
import { findChromium, HOW_TO_GET_CHROMIUM } from './chromium.ts'
import { endShown, runShown, type Shown } from './run-shown.ts'

const root = path.resolve(import.meta.dirname, '../..')
const results = path.join(root, '.test')
const bin = (name: string) => path.join(root, 'node_modules/.bin', name)
const FOLDERS = ['unit', 'domain', 'api', 'chain', 'faults']

type Count = { passed: number; failed: number }
type Suite = {
  name: string
  covers: string[]
  /** Its test files, where single ones can be run. */
  files?: RegExp
  run: (wanted: string[], files: string[]) => Promise<Count>
}

/** A command that holds or doesn't is one test. */
const asOne = (ended: Shown): Count => (ended.code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

/** A runner that failed without naming a failed test has failed in a test nobody could count. */
const honest = (count: Count, code: number): Count =>
  code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count

const suites: Suite[] = [
  {
    name: 'format',
    covers: ['format'],
    run: async () => asOne(await runShown('npm', ['run', '--silent', 'format:check'], root)),
  },
  {
    name: 'unused code',
    covers: ['knip'],
    run: async () => asOne(await runShown('npm', ['run', '--silent', 'knip'], root)),
  },
  {
    name: 'types',
    covers: ['types'],
    run: async () => {
      const generated = await runShown(bin('next'), ['typegen'], root)
      return asOne(generated.code === 0 ? await runShown(bin('tsc'), ['--noEmit'], root) : generated)
    },
  },
  {
    name: 'lint',
    covers: ['lint'],
    run: async () => asOne(await runShown(bin('eslint'), ['.', '--max-warnings', '0'], root)),
  },
  {
    name: 'contracts',
    covers: ['contracts'],
    files: /^contracts\/test\/.*\.t\.sol$/,
    run: async (_, files) => {
      const only = files.length > 0 ? ['--match-path', files.length === 1 ? files[0]! : `{${files.join(',')}}`] : []
      const ended = await runShown(bin('forge'), ['test', ...only], root)
      const summary = [...ended.output.matchAll(/(\d+) tests? passed, (\d+) failed/g)].at(-1)
      return honest({ passed: Number(summary?.[1] ?? 0), failed: Number(summary?.[2] ?? 0) }, ended.code)
    },
  },
  {
    name: 'coverage of the contracts',
    covers: ['coverage'],
    run: async () => asOne(await runShown(process.execPath, ['scripts/contracts-coverage.ts'], root)),
  },
  {
    name: 'unit, domain, api, chain, faults',
    covers: FOLDERS,
    files: /^tests\/.*\.test\.ts$/,
    run: async (wanted, files) => {
      const file = path.join(results, 'vitest.json')
      const places = [
        ...wanted.map((folder) => `tests/${folder}/`),
        ...(wanted.includes('unit') ? ['tests/architecture.test.ts'] : []),
        ...files,
      ]
      const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...places]
      const ended = await runShown(bin('vitest'), args, root)
      return honest(readVitest(file), ended.code)
    },
  },
  { name: 'build', covers: ['build'], run: () => buildPages(root).then(() => ({ passed: 1, failed: 0 }), sayFailure) },
  {
    name: 'e2e',
    covers: ['e2e'],
    files: /^tests\/e2e\/.*\.spec\.ts$/,
    run: async (_, files) => {
      const chromium = findChromium()
      if (!chromium) {
        say(red(HOW_TO_GET_CHROMIUM))
        return { passed: 0, failed: 1 }
      }
      const file = path.join(results, 'playwright.json')
      const ended = await runShown(bin('playwright'), ['test', '--reporter=list,json', ...files], root, {
        CHROMIUM_PATH: chromium,
        E2E_PORT: process.env.E2E_PORT ?? String(await freeStackPort()),
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      })
      return honest(readPlaywright(file), ended.code)
    },
  },
]

function sayFailure(error: Error): Count {
  say(red(error.message))
  return { passed: 0, failed: 1 }
}

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

function readVitest(file: string): Count {
  const report = readReport<VitestReport>(file)
  if (!report) return { passed: 0, failed: 0 }
  // A file that can't even be read has no tests to count, and counts as one.
  const unreadable = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.length === 0,
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + unreadable.length }
}

type PlaywrightReport = { stats: { expected: number; flaky: number; unexpected: number } }

function readPlaywright(file: string): Count {
  const report = readReport<PlaywrightReport>(file)
  if (!report) return { passed: 0, failed: 0 }
  return { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected }
}

function readReport<T>(file: string): T | null {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as T) : null
}

stopOnSignal(async () => {
  await Promise.all([endRunning(), endShown()])
  process.exit(1)
})

const wanted = process.argv.slice(2)
const known = suites.flatMap((suite) => suite.covers)
const isFileOf = ({ files }: Suite, name: string): boolean => files !== undefined && files.test(name)
const unknown = wanted.filter(
  (name) =>
    !known.includes(name) && !(suites.some((suite) => isFileOf(suite, name)) && fs.existsSync(path.join(root, name))),
)
if (unknown.length > 0) {
  say(red(`There are no tests called ${unknown.join(', ')}. There are: ${known.join(', ')}, and paths of test files.`))
  process.exit(1)
}
fs.rmSync(results, { recursive: true, force: true })
fs.mkdirSync(results, { recursive: true })

const total: Count = { passed: 0, failed: 0 }
const broken: string[] = []
for (const suite of suites) {
  const mine = suite.covers.filter((name) => wanted.includes(name))
  const files = wanted.filter((name) => isFileOf(suite, name))
  if (wanted.length > 0 && mine.length === 0 && files.length === 0) continue
  say(bold(`\n▸ ${suite.name}`))
  const { passed, failed } = await suite.run(mine, files)
  total.passed += passed
  total.failed += failed
  if (failed > 0) broken.push(suite.name)
}
if (broken.length > 0) say(red(`\nFailed: ${broken.join('; ')}`))
say(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)
