/** One record of a CSV text: where it stands, and its cells. Cells beyond `most` are counted, not kept. */
export type CsvRecord = { end: number; cells: string[]; filled: number; isMisquoted: boolean }

const QUOTE = 34
const SPACE = 32
const [LINE_FEED, RETURN] = [10, 13]

/**
 * How lines end: with a line feed, after a carriage return or not, unless the first end has a carriage return alone.
 */
export type Dialect = { delimiter: string; isReturnAlone: boolean }

const DELIMITERS = [',', ';', '\t', '|']
const DELIMITER_CODES = DELIMITERS.map((delimiter) => delimiter.charCodeAt(0))

/**
 * The most frequent delimiter outside of quotes in the first line, as later lines may contain commas in texts; and how
 * lines end.
 */
export function dialectOf(text: string, declared?: string): Dialect {
  const counts = DELIMITERS.map(() => 0)
  let at = 0
  while (at < text.length && isLineEnd(text.charCodeAt(at))) at++
  for (let isQuoted = false; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE && (isQuoted || isAtCell(text, at))) isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (isLineEnd(code)) break
    else {
      const found = DELIMITER_CODES.indexOf(code)
      if (found !== -1) counts[found]!++
    }
  }
  const delimiter = declared ?? DELIMITERS[counts.indexOf(Math.max(...counts))]!
  return { delimiter, isReturnAlone: text.charCodeAt(at) === RETURN && text.charCodeAt(at + 1) !== LINE_FEED }
}

/** Whether a cell may begin here. */
function isAtCell(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return at === 0 || isLineEnd(before) || DELIMITER_CODES.includes(before)
}

const isLineEnd = (code: number) => code === LINE_FEED || code === RETURN

/** A trimmed cell, without the ' that our exports put before formula-like text. */
const cellOf = (cell: string): string => {
  const text = cell.trim()
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

/** Characters of a record in quotes: more than its cells may have. A quote that ends later counts as missing. */
const MAX_RECORD = 8_000_000
/** Characters of a cell that are kept, doubled quotes included: more than fit. */
const MAX_KEPT = 50_000

/** The record that begins at `start`. */
export function readRecord(
  text: string,
  start: number,
  { delimiter, isReturnAlone }: Dialect,
  most: number,
): CsvRecord {
  const lineEnd = isReturnAlone ? RETURN : LINE_FEED
  const delimiterCode = delimiter.charCodeAt(0)
  const record: CsvRecord = { end: text.length, cells: [], filled: 0, isMisquoted: false }
  let number = 0
  const add = (from: number, end: number, isQuoted: boolean) => {
    const cell = text.slice(from, Math.min(end, from + MAX_KEPT))
    const read = cellOf(isQuoted ? unquoted(cell) : cell)
    number++
    if (number <= most) record.cells.push(read)
    if (read !== '') record.filled = number
  }
  for (let at = start; ; at++) {
    const isQuoted = text.charCodeAt(at) === QUOTE
    const end = isQuoted
      ? quotedEnd(text, at + 1, { most: start + MAX_RECORD, delimiter: delimiterCode, lineEnd }, record)
      : plainEnd(text, at, delimiterCode, lineEnd)
    add(at, end, isQuoted)
    if (end >= text.length) return record
    if (text.charCodeAt(end) === lineEnd) return { ...record, end: end + 1 }
    at = end
  }
}

/** Where a cell without quotes ends. */
function plainEnd(text: string, from: number, delimiter: number, lineEnd: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === delimiter || code === lineEnd) break
  }
  return at
}

/**
 * Where a cell ends whose quote was opened before `from`. A single quote within it is kept, and the record counts as
 * misquoted.
 */
function quotedEnd(
  text: string,
  from: number,
  { most, delimiter, lineEnd }: { most: number; delimiter: number; lineEnd: number },
  record: CsvRecord,
): number {
  for (let at = text.indexOf('"', from); at !== -1 && at < most; at = text.indexOf('"', at)) {
    if (text.charCodeAt(at + 1) === QUOTE) {
      at += 2
      continue
    }
    let end = at + 1
    while (text.charCodeAt(end) === SPACE || (text.charCodeAt(end) === RETURN && lineEnd === LINE_FEED)) end++
    const code = text.charCodeAt(end)
    if (end >= text.length || code === delimiter || code === lineEnd) return end
    record.isMisquoted = true
    at = end
  }
  record.isMisquoted = true
  return text.length
}

/** The text between the quotes of a cell. */
function unquoted(cell: string): string {
  const text = cell.trimEnd()
  const inner = text.length > 1 && text.endsWith('"') ? text.slice(1, -1) : text.slice(1)
  return inner.includes('""') ? inner.replaceAll('""', '"') : inner
}
