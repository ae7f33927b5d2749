/**
 * Text that somebody else wrote as one line of at most so many characters: without control characters, which PostgreSQL
 * doesn't store, and without halves of surrogate pairs. undefined when nothing is left.
 */
export function lineOf(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  // A cut may fall between the halves of a pair.
  const cut = line
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
  return cut === '' ? undefined : cut
}
