const [FIRST_STRONG_ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069']

/**
 * A text without marks of direction that change how what follows it is read: embeddings and overrides, which Unicode
 * advises against (UAX #9), and isolates without an end or a beginning. Others stay: texts in Arabic need them.
 */
export function withoutStrayMarks(text: string): string {
  const characters = [...text.replace(/[\u202a-\u202e]/g, '')]
  const open: number[] = []
  const stray = new Set<number>()
  for (const [at, character] of characters.entries()) {
    if (character >= '\u2066' && character <= FIRST_STRONG_ISOLATE) open.push(at)
    else if (character === END_OF_ISOLATE && open.pop() === undefined) stray.add(at)
  }
  for (const at of open) stray.add(at)
  return characters.filter((_, at) => !stray.has(at)).join('')
}
