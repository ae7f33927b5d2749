import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { countAnswers } from '../../scripts/test-runner/answers.ts'
import { changedFiles, selectChanged } from '../../scripts/test-runner/changed.ts'
import { readOptions } from '../../scripts/test-runner/options.ts'
import { countingProcessorTime } from '../../scripts/test-runner/processor-time.ts'
import { chooseReaching, type Reach } from '../../scripts/test-runner/reach.ts'
import {
  type Count,
  countCommand,
  countForge,
  countPlaywright,
  countVitest,
} from '../../scripts/test-runner/reports.ts'
import { select } from '../../scripts/test-runner/select.ts'
import { LANES, root } from '../../scripts/test-runner/suites.ts'
import { timesTables } from '../../scripts/test-runner/times.ts'

const suites = LANES.flat()
const selected = (...args: string[]) =>
  Object.fromEntries([...select(suites, args, root)].map(([{ name }, selection]) => [name, selection]))

test('without arguments every suite runs, and no two have a name in common', () => {
  expect(Object.values(selected())).toEqual(suites.map(() => 'all'))
  const names = suites.flatMap(({ covers }) => covers)
  expect(new Set(names).size).toBe(names.length)
})

test('an argument names a suite, a file or a folder of tests', () => {
  expect(selected('unit', 'domain', 'e2e')).toEqual({
    vitest: { names: ['unit', 'domain'], files: [] },
    e2e: { names: ['e2e'], files: [] },
  })
  expect(selected('tests/domain/claims.test.ts', './tests/e2e/claim.spec.ts')).toEqual({
    vitest: { names: [], files: ['tests/domain/claims.test.ts'] },
    e2e: { names: [], files: ['tests/e2e/claim.spec.ts'] },
  })
  expect(selected('contracts/test/Vitrine721.t.sol')).toEqual({
    contracts: { names: [], files: ['contracts/test/Vitrine721.t.sol'] },
  })
  expect(selected('tests/e2e').e2e).toMatchObject({
    names: [],
    files: expect.arrayContaining(['tests/e2e/claim.spec.ts']),
  })
})

test('an argument that names no tests is refused', () => {
  for (const arg of ['claims', 'tests/domain/nothing.test.ts', 'README.md', 'docs'])
    expect(() => select(suites, [arg], root)).toThrow(`${arg} is no suite and no file of tests.`)
})

test('a suite that waits for another waits for one that runs before it on a machine with one core', () => {
  for (const [at, { after }] of suites.entries())
    if (after) expect(suites.slice(0, at).map(({ name }) => name)).toContain(after)
})

test('options are told from names, and a commit follows --changed', () => {
  expect(readOptions(['--times', 'unit'])).toEqual({ times: true, changed: null, names: ['unit'] })
  expect(readOptions(['--changed'])).toEqual({ times: false, changed: '', names: [] })
  expect(readOptions(['--changed', 'HEAD~3', '--times'])).toEqual({ times: true, changed: 'HEAD~3', names: [] })
  expect(() => readOptions(['--fast'])).toThrow('--fast is no option.')
  expect(() => readOptions(['unit', '--changed'])).toThrow('--changed chooses the tests itself')
})

test('every test file of the repository belongs to one suite', () => {
  for (const folder of ['tests', 'contracts/test'])
    for (const file of fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (/\.(test|spec)\.ts$|\.t\.sol$/.test(file))
        expect(
          suites.filter(({ owns }) => owns?.(path.join(folder, file))),
          file,
        ).toHaveLength(1)
})

function report(content: object): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-report-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'report.json')
  fs.writeFileSync(file, JSON.stringify(content))
  return file
}

const ended = (code: number, output = '') => ({ command: 'forge test', code, output })

test('a run that fails without a failed test counts as one, and shows what it said last', () => {
  const one = { passed: 0, failed: 1, failures: ['forge test ended with code 1\n  no space left'] }
  const failed = ended(1, 'no space left\n')
  expect(countCommand(failed)).toEqual(one)
  expect(countCommand(ended(0))).toEqual({ passed: 1, failed: 0 })
  expect(countForge(failed)).toEqual(one)
  expect(countVitest('/nowhere.json', failed)).toEqual(one)
  expect(countPlaywright('/nowhere.json', failed)).toEqual(one)
  expect(countVitest(report({ passed: 4, failures: [], files: [] }), failed)).toEqual({ ...one, passed: 4 })
  expect(countForge(ended(0, 'Ran 3 test suites: 8 tests passed, 0 failed, 0 skipped (8 total tests)'))).toEqual({
    passed: 8,
    failed: 0,
  })
  const someFailed = ended(1, 'Ran 3 test suites: 8 tests passed, 2 failed, 0 skipped (10 total tests)')
  expect(countForge(someFailed)).toMatchObject({
    passed: 8,
    failed: 2,
    failures: [expect.stringContaining('2 failed')],
  })
  expect(countPlaywright(report({ stats: { expected: 5, flaky: 1, unexpected: 2 } }), failed)).toMatchObject({
    passed: 6,
    failed: 2,
  })
})

/** Runs Vitest with files of tests, and counts what it reports. */
function runVitest(files: Record<string, string>): Count {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitest-report-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text)
  const written = path.join(folder, 'report.json')
  const { status } = spawnSync(
    path.join(root, 'node_modules/.bin/vitest'),
    ['run', '--globals', '--root', folder, `--reporter=${path.join(root, 'scripts/test-runner/vitest-report.ts')}`],
    { env: { ...process.env, VITEST_REPORT: written } },
  )
  return countVitest(written, ended(status!))
}

test('all that fails in a run of Vitest is counted, and named with what it said for the end of the run', () => {
  const { passed, failed, failures } = runVitest({
    'sums.test.js': `
      test('one and one are two', () => expect(3, '\u001b[31mthe sum\u001b[0m').toBe(2))
      test('two and two are four', () => {})
      test('three is late', () => new Promise(() => {}), 10)
      describe('halves', () => {
        test('a half is small', () => void setTimeout(() => { throw new Error('thrown later') }))
        afterAll(() => { throw new Error('the halves differ') })
      })
      afterAll(() => { throw new Error('the books differ') })`,
    'gone.test.js': `import './nothing.js'`,
  })
  const said = failures!.map((text) =>
    text
      .split('\n')
      .slice(0, 2)
      .join('')
      .replace(/^[^›]*report-\w+\//, ''),
  )
  expect(said.toSorted()).toEqual([
    expect.stringMatching(/^gone.test.js › can’t be loaded {2}.*nothing.js/),
    'sums.test.js › an error that nobody handled  Error: thrown later',
    'sums.test.js › around the tests of halves  Error: the halves differ',
    'sums.test.js › around the tests of the file  Error: the books differ',
    'sums.test.js › one and one are two  AssertionError: the sum: expected 3 to be 2 // Object.is equality',
    expect.stringMatching(/^sums.test.js › three is late {2}Test timed out in 10ms/),
  ])
  expect({ passed, failed }).toEqual({ passed: 2, failed: 6 })
})

test('failed browser tests are named with what they said, for the end of the run', () => {
  const spec = (title: string, ok: boolean, message?: string) => ({
    title,
    ok,
    tests: [{ results: [{ error: message === undefined ? undefined : { message } }] }],
  })
  const suites = [
    {
      file: 'a.spec.ts',
      suites: [{ file: 'a.spec.ts', specs: [spec('a phone', false, 'too wide')] }],
      specs: [spec('a desk', true)],
    },
  ]
  const stats = { expected: 1, flaky: 0, unexpected: 1 }
  expect(countPlaywright(report({ stats, suites }), ended(1)).failures).toEqual([
    'tests/e2e/a.spec.ts › a phone\n  too wide',
  ])
})

test('a documented answer that no test got fails a whole run by name', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-answers-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const notes = path.join(folder, 'notes')
  fs.mkdirSync(notes)
  const count = (answers: readonly string[]) => {
    const lines = answers.map((answer) => `${answer.replace(/^any /, 'get-me ')} 100\n`)
    fs.writeFileSync(path.join(notes, '1.txt'), lines.join(''))
    return countAnswers(notes, path.join(folder, 'answers.md'))
  }
  const [tooFew, unseen] = count([]).failures!
  expect(tooFew).toContain('Only 0 answers were checked')
  const all = /documented answers: (.*)\. Test them/.exec(unseen!)![1]!.split(', ')
  expect(all).toEqual(expect.arrayContaining(['get-me 200', 'create-member 409', 'any 431']))
  expect(count(all)).toEqual({ passed: 1, failed: 0, failures: [] })
  expect(count(all.filter((answer) => answer !== 'create-member 409')).failures).toEqual([
    expect.stringContaining('documented answers: create-member 409. '),
  ])
  const table = fs.readFileSync(path.join(folder, 'answers.md'), 'utf8')
  expect(table).toMatch(/\| create-member \| 201: 100, .*409: never/)
})

test('what forge refuses fails the command that asked it', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [path.join(root, 'scripts/forge.mjs'), ...args]).status
  expect(run('--version')).toBe(0)
  expect(run('no-such-command')).not.toBe(0)
})

const reach = (file: string, ms: number, entered: Reach['entered']): Reach => ({ file, ms, entered })

test('of the test files that reach a change, the nearest run, as long as they take no longer than the limit', () => {
  const reaches = [
    reach('near.test.ts', 1_000, { 'lib/a.ts': 4, 'lib/b.ts': 1 }),
    reach('far.test.ts', 1_000, { 'lib/a.ts': 1, 'lib/b.ts': 400 }),
    reach('long.test.ts', 50_000, { 'lib/a.ts': 4, 'lib/b.ts': 1 }),
    reach('loads.test.ts', 10, { 'lib/a.ts': 0 }),
  ]
  const choose = (files: string[], limitMs: number, close: string[] = []) =>
    chooseReaching(files, reaches, () => close, limitMs)
  expect(choose(['lib/a.ts'], 1_500)).toEqual({ chosen: ['near.test.ts'], reaching: 3 })
  expect(choose(['lib/a.ts'], 60_000).chosen).toEqual(['near.test.ts', 'long.test.ts', 'far.test.ts'])
  expect(choose(['lib/c.ts'], 60_000)).toEqual({ chosen: [], reaching: 0 })
  // What is known to be about the file comes first, noted or not.
  expect(choose(['lib/a.ts'], 5_500, ['far.test.ts', 'new.test.ts']).chosen).toEqual(['new.test.ts', 'far.test.ts'])
})

test('a file of which nobody enters a function is reached by whoever loads it', () => {
  const reaches = [reach('one.test.ts', 10, { 'lib/words.ts': 0 }), reach('two.test.ts', 10, { 'lib/a.ts': 3 })]
  expect(chooseReaching(['lib/words.ts'], reaches, () => [])).toEqual({ chosen: ['one.test.ts'], reaching: 1 })
})

test('a change selects its checks, the tests in it and those about it, and says what is left out', () => {
  const files = ['lib/stock/lock-item-rows.ts', 'tests/e2e/claim.spec.ts', 'messages/en.json']
  const { selected: parts, leftOut } = selectChanged(suites, files, root)
  const filesOf = (name: string) => {
    const part = [...parts].find(([suite]) => suite.name === name)?.[1]
    return part && part !== 'all' ? part.files : []
  }
  expect(filesOf('format')).toEqual(files)
  expect(filesOf('lint')).toEqual(files.slice(0, 2))
  expect(filesOf('e2e')).toEqual(['tests/e2e/claim.spec.ts'])
  expect(filesOf('vitest').length).toBeGreaterThan(0)
  expect(filesOf('contracts')).toEqual([])
  expect(leftOut).toMatch(/Left out: .*what messages\/en\.json may change; .*contracts.*mutants/)
  expect(() => changedFiles(root, 'no-such-commit')).toThrow('no-such-commit is no commit of this repository.')
})

test('the processor time of a process counts for the work that started it', async () => {
  const { execFile } = await import('node:child_process')
  const burn = 'const end = performance.now() + 300; while (performance.now() < end);'
  const run = () => new Promise((resolve) => execFile(process.execPath, ['-e', burn], resolve))
  const [[, used], [, none]] = await Promise.all([
    countingProcessorTime(run),
    countingProcessorTime(() => Promise.resolve()),
  ])
  expect(none.seconds).toBeNull()
  if (process.platform === 'linux') expect(used.seconds).toBeGreaterThan(0)
  else expect(used.seconds).toBeNull()
})

test('the tables of times name suites, files with their parts, and the load of the machine', () => {
  const times = (name: string, seconds: number) => ({ name, seconds, processor: seconds, busy: seconds })
  const files = [
    { file: 'a.test.ts', all: 3_000, parts: { setup: 500, load: 1_000, tests: 1_200, hooks: 300 } },
    { file: 'b.test.ts', all: 9_000, parts: { setup: 500, load: 1_000, tests: 7_200, hooks: 300 } },
  ]
  const vitest = report({ passed: 2, failures: [], files })
  const playwright = report({
    stats: {},
    suites: [
      {
        file: 'a.spec.ts',
        specs: [{ title: '', ok: true, tests: [{ results: [{ duration: 4_000 }] }] }],
        suites: [{ file: 'a.spec.ts', specs: [{ title: '', ok: true, tests: [{ results: [{ duration: 1_000 }] }] }] }],
      },
    ],
  })
  const run = { suites: [times('unit', 10), times('e2e', 20)], total: times('all', 30), load: 1.25 }
  const lines = timesTables(run, { vitest, playwright }).split('\n')
  expect(lines[0]).toMatch(/^Load of the machine: 1\.\d at the begin/)
  expect(lines.filter((line) => /^\| (unit|e2e|all) \|/.test(line))).toHaveLength(3)
  expect(lines.filter((line) => line.includes('.ts |'))).toEqual([
    '| b.test.ts | 9.0 | 0.5 | 1.0 | 7.2 | 0.3 |',
    '| tests/e2e/a.spec.ts | 5.0 |  |  |  |  |',
    '| a.test.ts | 3.0 | 0.5 | 1.0 | 1.2 | 0.3 |',
  ])
  expect(lines.at(-1)).toBe('| all 3 files | 17.0 | 1.0 | 2.0 | 8.4 | 0.6 |')
})
