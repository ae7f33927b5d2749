import Papa from 'papaparse'
import { MAX_IMPORT_ROWS } from '../../platform/api/imports.ts'
import { type AppError, fieldError } from '../../core/errors.ts'

/** A file's lines by column. Column names are unique; line numbers count from 1, the heading included. */
export type Table = { columns: string[]; rows: TableRow[] }
export type TableRow = {
  line: number
  fields: Record<string, string>
  /** What is wrong with the line's CSV. */
  faults: string[]
}

const MAX_COLUMNS = 200
const MAX_CELL_LENGTH = 20_000

/** The error for a file that can't be imported at all. */
export const notImportable = (detail: string): AppError => fieldError('import_invalid', 'file', detail)

/** Parses a CSV file: any of the usual delimiters and encodings. Throws `import_invalid`. */
export function readTable(content: Uint8Array | string): Table {
  const text = textOf(content)
  const declared = /^sep=([,;\t])\r?\n/i.exec(text)
  const body = declared ? text.slice(declared[0].length) : text
  const { data, errors } = Papa.parse<string[]>(body, {
    delimiter: declared?.[1] ?? delimiterOf(body),
    skipEmptyLines: false,
  })
  const lines = data
    .map((cells, at) => ({ line: at + 1, cells: cells.map(cellOf) }))
    .filter(({ cells }) => cells.some(Boolean))
  const [heading, ...rest] = lines
  if (!heading) throw notImportable('This file is empty.')
  if (rest.length === 0)
    throw notImportable('There is only one line: the first line names the columns, each line below it is one row.')
  if (rest.length > MAX_IMPORT_ROWS)
    throw notImportable(
      `There are ${rest.length.toLocaleString('en')} lines: at most ${MAX_IMPORT_ROWS.toLocaleString('en')} are taken at once. Split the file.`,
    )
  const width = Math.max(...rest.map(({ cells }) => lastFilled(cells)), heading.cells.length)
  if (width > MAX_COLUMNS) throw notImportable(`There are ${width} columns: at most ${MAX_COLUMNS} are taken.`)
  const columns = uniqueNames(heading.cells.slice(0, Math.max(lastFilled(heading.cells), 1)))
  const misquoted = new Set(errors.filter(({ type }) => type === 'Quotes').map(({ row }) => (row ?? 0) + 1))
  if (misquoted.has(heading.line)) throw notImportable('The quotes of the first line don’t match.')
  return {
    columns,
    rows: rest.map(({ line, cells }) => ({
      line,
      fields: fieldsOf(columns, cells),
      faults: faultsOf(columns, cells, misquoted.has(line)),
    })),
  }
}

function textOf(content: Uint8Array | string): string {
  const text = typeof content === 'string' ? content : decode(content)
  if (text.includes('\0')) throw notImportable('This is not a text file. Save the table as CSV first.')
  // The database refuses lone surrogates.
  return text.replace(/^\uFEFF/, '').toWellFormed()
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3)
    throw notImportable('This is a spreadsheet or an archive. Save the table as CSV first.')
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The most frequent delimiter outside of quotes in the first line; later lines may contain commas in texts. */
function delimiterOf(text: string): string {
  const first =
    /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.replace(/^[\r\n]+/, ''))?.[0].replace(/"(?:[^"]|"")*"/g, '') ?? ''
  const found = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }))
  return found.sort((a, b) => b.count - a.count)[0]!.delimiter
}

/** A trimmed cell, without the ' that our exports put before formula-like text. */
const cellOf = (cell: string): string => {
  const text = cell.trim()
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

const lastFilled = (cells: readonly string[]): number => cells.findLastIndex(Boolean) + 1

function uniqueNames(headings: readonly string[]): string[] {
  const names: string[] = []
  for (const [at, heading] of headings.entries()) {
    const name = (heading || `Column ${at + 1}`).replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 200)
    let unique = name
    for (let copy = 2; names.includes(unique) || unique === '__proto__'; copy++) unique = `${name} (${copy})`
    names.push(unique)
  }
  return names
}

const fieldsOf = (columns: readonly string[], cells: readonly string[]): Record<string, string> =>
  Object.fromEntries(columns.map((name, at) => [name, (cells[at] ?? '').slice(0, MAX_CELL_LENGTH)]))

function faultsOf(columns: readonly string[], cells: readonly string[], misquoted: boolean): string[] {
  const long = columns.find((_, at) => (cells[at] ?? '').length > MAX_CELL_LENGTH)
  return [
    ...(misquoted ? ['The quotes of this line don’t match.'] : []),
    ...(lastFilled(cells) > columns.length
      ? [`This line has ${lastFilled(cells)} cells, and the first line names ${columns.length} columns.`]
      : []),
    ...(long === undefined ? [] : [`${long}: At most ${MAX_CELL_LENGTH.toLocaleString('en')} characters fit.`]),
  ]
}
