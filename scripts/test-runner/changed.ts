import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { chooseReaching, readReach } from './reach.ts'
import type { Selection, Suite } from './suites.ts'

const git = (root: string, ...args: string[]): string | null => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64e6 })
  return status === 0 ? stdout : null
}

/** Since which commit: the one given, else where this branch left main. On main that is the last commit. */
function baseOf(root: string, commit: string): string {
  const names = commit
    ? [[commit]]
    : [
        ['HEAD', 'main'],
        ['HEAD', 'origin/main'],
      ]
  const bases = names.map((each) =>
    git(root, ...(commit ? ['rev-parse', '--verify', `${commit}^{commit}`] : ['merge-base', ...each])),
  )
  const found = bases.find((base) => base !== null)?.trim()
  if (found) return found
  if (commit) throw new Error(`${commit} is no commit of this repository.`)
  return 'HEAD'
}

/** The files that are there and differ from the commit, also those that git doesn't know yet. */
export function changedFiles(root: string, commit: string): string[] {
  const differing = git(root, 'diff', '--name-only', '--diff-filter=d', '-z', baseOf(root, commit))
  const unknown = git(root, 'ls-files', '--others', '--exclude-standard', '-z')
  if (differing === null || unknown === null) throw new Error('--changed needs git and a clone.')
  return [...new Set(`${differing}${unknown}`.split('\0').filter(Boolean))].sort()
}

const isTest = (file: string) => /\.(test|spec)\.ts$|\.t\.sol$/.test(file)
const isCode = (file: string) => /\.(ts|tsx|mjs)$/.test(file)

/** The test files that import a file, and those that noticed a fault in it (tests/mutation). */
function closeTo(root: string): (file: string) => string[] {
  const tests = fs.globSync('tests/**/*.test.ts', { cwd: root })
  const texts = new Map(tests.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]))
  const noticed = Object.entries(
    JSON.parse(fs.readFileSync(path.join(root, 'tests/mutation/noticed.json'), 'utf8')) as Record<string, string>,
  )
  return (file) => {
    const importing = tests.filter((test) => texts.get(test)!.includes(`/${file}'`))
    const noticing = noticed.filter(([id]) => id.startsWith(`${file} `)).map(([, by]) => by.split(' › ')[0]!)
    return [...new Set([...noticing.filter((test) => texts.has(test)), ...importing])]
  }
}

/**
 * What to run of the suites for the files that were changed: the checks of these files, the tests among them and those
 * that reach them, as far as two minutes go. `leftOut` says what isn't run, to follow the count.
 */
export function selectChanged(
  suites: readonly Suite[],
  files: readonly string[],
  root: string,
): { selected: Map<Suite, Selection>; leftOut: string } {
  const sources = files.filter((file) => isCode(file) && !isTest(file))
  const reaches = readReach()
  const { chosen, reaching } = chooseReaching(sources, reaches, closeTo(root))
  const tests = [...new Set([...files.filter(isTest), ...chosen])]
  const others = files.filter((file) => !isCode(file) && !/\.(md|sol)$/.test(file))
  const ofSuite = (suite: Suite): string[] => {
    if (suite.checks) return files.filter(suite.checks)
    return tests.filter((file) => suite.owns?.(file))
  }
  const selected = new Map<Suite, Selection>()
  for (const suite of suites) {
    const own = ofSuite(suite)
    if (own.length > 0) selected.set(suite, { names: [], files: own })
  }
  const left = [
    ...(reaching > chosen.length
      ? [`${reaching - chosen.length} of ${reaching} test files that reach the change`]
      : []),
    ...(reaches.length === 0 ? ['what reaches it by way of other files, which a whole run notes'] : []),
    ...(others.length > 0 ? [`what ${others.slice(0, 3).join(', ')}${others.length > 3 ? ' …' : ''} may change`] : []),
    `${suites
      .filter((suite) => !selected.has(suite))
      .map(({ name }) => name)
      .join(', ')}`,
    'processes that tests start, and pages',
  ]
  return { selected, leftOut: `. Left out: ${left.join('; ')}.` }
}
