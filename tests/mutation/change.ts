import path from 'node:path'

// Read by every process that tests start, so it imports nothing big.

/** The one change of a run, in the environment, so that processes that tests start have it too. */
export const CHANGE = 'MUTANT'

export type ActiveChange = { file: string; from: number; to: number; text: string }

export const activeChange = (): ActiveChange | null =>
  process.env[CHANGE] ? (JSON.parse(process.env[CHANGE]) as ActiveChange) : null

/** The file's source with the active change; null where it isn't of this file. */
export function withActiveChange(root: string, file: string, source: string): string | null {
  const change = activeChange()
  if (!change || path.relative(root, file) !== change.file) return null
  return source.slice(0, change.from) + change.text + source.slice(change.to)
}
