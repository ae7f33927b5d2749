import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { countAnswers } from '../../scripts/test-runner/answers.ts'
import { countCommand, countForge, countPlaywright, countVitest } from '../../scripts/test-runner/reports.ts'
import { select } from '../../scripts/test-runner/select.ts'
import { root, STAGES } from '../../scripts/test-runner/suites.ts'

const suites = STAGES.flat(2)
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

test('a run that fails without a failed test counts as one', () => {
  const ended = { code: 1, output: '' }
  const one = { passed: 0, failed: 1 }
  expect(countCommand(ended)).toEqual(one)
  expect(countForge(ended)).toEqual(one)
  expect(countVitest('/nowhere.json', ended)).toEqual(one)
  expect(countPlaywright('/nowhere.json', ended)).toEqual(one)
  expect(
    countForge({ code: 0, output: 'Ran 3 test suites: 8 tests passed, 0 failed, 0 skipped (8 total tests)' }),
  ).toEqual({
    passed: 8,
    failed: 0,
  })
  const files = [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }]
  expect(countVitest(report({ numPassedTests: 4, numFailedTests: 2, testResults: files }), ended)).toMatchObject({
    passed: 4,
    failed: 3,
  })
  expect(countPlaywright(report({ stats: { expected: 5, flaky: 1, unexpected: 2 } }), ended)).toMatchObject({
    passed: 6,
    failed: 2,
  })
})

test('failed tests are named with what they said, for the end of the run', () => {
  const ended = { code: 1, output: '' }
  const file = (name: string) => path.join(root, name)
  const testResults = [
    { name: file('tests/unit/gone.test.ts'), status: 'failed', message: 'No such module', assertionResults: [] },
    {
      name: file('tests/unit/sums.test.ts'),
      status: 'failed',
      assertionResults: [
        {
          fullName: 'one and one are two',
          status: 'failed',
          failureMessages: ['\u001b[31mexpected 3 to be 2\u001b[0m'],
        },
        { fullName: 'two and two are four', status: 'passed', failureMessages: [] },
      ],
    },
  ]
  expect(countVitest(report({ numPassedTests: 1, numFailedTests: 1, testResults }), ended).failures).toEqual([
    'tests/unit/sums.test.ts › one and one are two\n  expected 3 to be 2',
    'tests/unit/gone.test.ts › can’t be loaded\n  No such module',
  ])
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
  expect(countPlaywright(report({ stats, suites }), ended).failures).toEqual([
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
