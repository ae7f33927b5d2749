import fs from 'node:fs'
import path from 'node:path'
import type { Selection, Suite } from './suites.ts'

/**
 * Which suites to run, by what the command line names: suites, and files or folders of tests. Nothing named selects
 * all. Throws when an argument is neither.
 */
export function select(suites: readonly Suite[], args: readonly string[], root: string): Map<Suite, Selection> {
  if (args.length === 0) return new Map(suites.map((suite) => [suite, 'all']))
  const selected = new Map<Suite, { names: string[]; files: string[] }>()
  const selectionOf = (suite: Suite) => {
    const selection = selected.get(suite) ?? { names: [], files: [] }
    selected.set(suite, selection)
    return selection
  }
  for (const arg of args) {
    const named = suites.find(({ covers }) => covers.includes(arg))
    if (named) {
      selectionOf(named).names.push(arg)
      continue
    }
    const files = testsAt(path.resolve(process.env.INIT_CWD ?? root, arg)).map((file) => path.relative(root, file))
    const owned = suites.flatMap((suite) => files.filter((file) => suite.owns?.(file)).map((file) => ({ suite, file })))
    if (owned.length === 0) {
      const names = suites.flatMap(({ covers }) => covers).join(', ')
      throw new Error(`${arg} is no suite and no file of tests. The suites are ${names}.`)
    }
    for (const { suite, file } of owned) selectionOf(suite).files.push(file)
  }
  return selected
}

function testsAt(place: string): string[] {
  if (!fs.existsSync(place)) return []
  if (fs.statSync(place).isFile()) return [place]
  return fs.readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => path.join(place, file))
}
