import fs from 'node:fs'
import path from 'node:path'

/**
 * What a test file reaches, noted when it last ran: each file of the repository that it loads, with how many functions
 * of it are entered, and how long it took.
 */
export type Reach = { file: string; ms: number; entered: Record<string, number> }

const root = path.resolve(import.meta.dirname, '../..')

/** The environment's name for whether test files note it. */
export const REACH = 'NOTE_REACH'
/** Where they note it, a file each. */
export const REACH_FILES = path.join(root, 'node_modules/.cache/test-reach')

/** What test files that are still there noted. */
export function readReach(): Reach[] {
  if (!fs.existsSync(REACH_FILES)) return []
  return fs
    .readdirSync(REACH_FILES)
    .map((name) => JSON.parse(fs.readFileSync(path.join(REACH_FILES, name), 'utf8')) as Reach)
    .filter(({ file }) => fs.existsSync(path.join(root, file)))
}

/** How long the test files that are chosen may take, one after the other: two of them run at once. */
const LIMIT_MS = 90_000

type Candidate = { file: string; ms: number; score: number }

/**
 * The test files that reach a changed file, nearest first: those that are `close` to it, then those of which most is
 * about it, and quick ones. A file of which nobody enters a function has only constants: whoever loads it reaches it.
 */
function candidatesOf(changed: string, reaches: readonly Reach[], close: ReadonlySet<string>): Candidate[] {
  const loading = reaches.filter(({ file, entered }) => changed in entered || close.has(file))
  const entering = loading.filter(({ file, entered }) => entered[changed]! > 0 || close.has(file))
  return (entering.length > 0 ? entering : loading)
    .map(({ file, ms, entered }) => {
      const all = Object.values(entered).reduce((sum, count) => sum + count, 1)
      const near = ((entered[changed] ?? 0) + 1) / all / (1 + ms / 2000)
      return { file, ms, score: near + (close.has(file) ? 1 : 0) }
    })
    .sort((a, b) => b.score - a.score)
}

/** A test file that never noted anything: it takes as long as others do, and those of faults long. */
const unnoted = (file: string, limitMs: number): Reach => ({
  file,
  ms: /^tests\/(faults|simulation)\//.test(file) ? limitMs : 4_000,
  entered: {},
})

/**
 * The test files to run for some changed files, of each in turn the nearest ones, as long as they take no longer than
 * `limitMs` together, and how many reach one of the files. `closeTo`: the test files that are known to be about a file.
 */
export function chooseReaching(
  changed: readonly string[],
  reaches: readonly Reach[],
  closeTo: (file: string) => readonly string[],
  limitMs = LIMIT_MS,
): { chosen: string[]; reaching: number } {
  const noted = new Map(reaches.map((reach) => [reach.file, reach]))
  const lists = changed.map((file) => {
    const close = new Set(closeTo(file))
    const unknown = [...close].filter((each) => !noted.has(each)).map((each) => unnoted(each, limitMs))
    return candidatesOf(file, [...reaches, ...unknown], close)
  })
  const inTurn = lists
    .flatMap((list) => list.map((candidate, at) => ({ ...candidate, at })))
    .sort((a, b) => a.at - b.at)
  const chosen = new Set<string>()
  let left = limitMs
  for (const { file, ms } of inTurn) {
    if (chosen.has(file) || ms > left) continue
    chosen.add(file)
    left -= ms
  }
  return { chosen: [...chosen], reaching: new Set(inTurn.map(({ file }) => file)).size }
}
