/** The known word that a mistyped one was probably meant to be. */
export const nearest = (word: string, known: readonly string[]): string | undefined =>
  known
    .map((one) => ({ one, steps: distance(word.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps)
    .find(({ one, steps }) => steps <= Math.max(2, Math.floor(one.length / 3)) && steps < one.length)?.one

/** The Levenshtein distance: how many letters differ between two words. */
export function distance(a: string, b: string): number {
  if (a.length > 40) return a.length
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
