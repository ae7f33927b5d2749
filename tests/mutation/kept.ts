import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './areas.ts'
import type { Outcome } from './report.ts'

type KeptResult = { source: string; outcome: Outcome | 'same'; by: string | null; ms: number }
type Kept = { results: Record<string, KeptResult>; passAlone: Record<string, boolean> }

const FILE = path.join(root, 'node_modules/.cache/mutation-results.json')

/**
 * Results of earlier runs, so that an interrupted one goes on where it was. They count as long as the source of the
 * mutated file is the same.
 */
export function openKept() {
  const kept: Kept = fs.existsSync(FILE)
    ? (JSON.parse(fs.readFileSync(FILE, 'utf8')) as Kept)
    : { results: {}, passAlone: {} }
  const sources = new Map<string, string>()
  const sourceOf = (file: string): string => {
    const known =
      sources.get(file) ??
      createHash('sha256')
        .update(fs.readFileSync(path.join(root, file)))
        .digest('hex')
    sources.set(file, known)
    return known
  }
  const write = () => {
    fs.mkdirSync(path.dirname(FILE), { recursive: true })
    fs.writeFileSync(FILE, JSON.stringify(kept))
  }
  return {
    find({ id, file }: { id: string; file: string }): KeptResult | null {
      const found = kept.results[id]
      return found?.source === sourceOf(file) ? found : null
    },
    keep({ id, file }: { id: string; file: string }, result: Omit<KeptResult, 'source'>): void {
      kept.results[id] = { source: sourceOf(file), ...result }
      write()
    },
    /** Whether a test passes without a change and without the other tests of its file. */
    passesAlone: (test: string): boolean | undefined => kept.passAlone[test],
    keepAlone(test: string, passes: boolean): void {
      kept.passAlone[test] = passes
      write()
    },
  }
}
