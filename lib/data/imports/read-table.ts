import { setImmediate as breathe } from 'node:timers/promises'
import { MAX_IMPORT_ROWS } from '../../platform/api/imports.ts'
import { type AppError, fieldError } from '../../core/errors.ts'
import { type CsvRecord, type Dialect, dialectOf, readRecord } from './csv-records.ts'

/**
 * A file's lines by column. Column names are unique; line numbers count from 1, the heading included. Cells are read
 * anew for each use.
 */
export type Table = {
  columns: string[]
  rowCount: number
  /** Some rows, from the one at `from`. */
  rows: (from: number, count: number) => TableRow[]
  /** The values of a column, each once. */
  valuesOf: (column: string | null) => Promise<string[]>
}
export type TableRow = {
  line: number
  /** The cells that aren't empty. */
  fields: Record<string, string>
  /** The faults of the line's CSV. */
  faults: string[]
}

const MAX_COLUMNS = 200
const MAX_CELL_LENGTH = 20_000
/** Characters that tell a file's delimiter and line ends. */
const MAX_HEADING_LENGTH = 1_000_000
/** Characters that are read before others have their turn. */
const MAX_AT_ONCE = 200_000

/** The error for a file that can't be imported at all. */
export const notImportable = (detail: string): AppError => fieldError('import_invalid', 'file', detail)

/**
 * Reads a CSV file: any of the usual delimiters and encodings. Stops at the bound of lines and columns. Throws
 * `import_invalid`.
 */
export async function readTable(content: Uint8Array | string): Promise<Table> {
  const text = textOf(content)
  const declared = /^sep=([,;\t|])\r?\n/i.exec(text)
  const body = declared ? text.slice(declared[0].length) : text
  await breathe()
  const dialect = dialectOf(body.slice(0, MAX_HEADING_LENGTH), declared?.[1])
  await breathe()
  const places = await findRows(body, dialect)
  await breathe()
  const [first, ...rest] = places
  if (!first) throw notImportable('This file is empty.')
  if (rest.length === 0)
    throw notImportable('There is only one line: the first line names the columns, each line below it is one row.')
  const heading = readRecord(body, first.start, dialect, MAX_COLUMNS)
  if (heading.isMisquoted) throw notImportable('The quotes of the first line don’t match.')
  const columns = uniqueNames(heading.cells.slice(0, Math.max(heading.filled, 1)))
  const rowAt = ({ line, start }: Place): TableRow => {
    const record = readRecord(body, start, dialect, MAX_COLUMNS)
    return { line, fields: fieldsOf(columns, record.cells), faults: faultsOf(columns, record) }
  }
  return {
    columns,
    rowCount: rest.length,
    rows: (from, count) => rest.slice(from, from + count).map(rowAt),
    valuesOf: (column) => valuesOf(body, dialect, rest, column === null ? -1 : columns.indexOf(column)),
  }
}

type Place = { line: number; start: number }

/** Where the lines that aren't empty begin. */
async function findRows(text: string, dialect: Dialect): Promise<Place[]> {
  const places: Place[] = []
  let line = 0
  for (let start = 0, next = MAX_AT_ONCE; start < text.length;) {
    if (start >= next) {
      await breathe()
      next = start + MAX_AT_ONCE
    }
    line++
    const record = readRecord(text, start, dialect, 0)
    if (record.filled > MAX_COLUMNS)
      throw notImportable(`There are ${record.filled} columns: at most ${MAX_COLUMNS} are taken.`)
    if (record.filled > 0) places.push({ line, start })
    if (places.length > MAX_IMPORT_ROWS + 1)
      throw notImportable(
        `There are more than ${MAX_IMPORT_ROWS.toLocaleString('en')} lines: ` +
          'that many are taken at once. Split the file.',
      )
    start = record.end
  }
  return places
}

async function valuesOf(text: string, dialect: Dialect, places: readonly Place[], column: number): Promise<string[]> {
  const values = new Set<string>()
  if (column === -1) return []
  let next = MAX_AT_ONCE
  for (const { start } of places) {
    if (start >= next) {
      await breathe()
      next = start + MAX_AT_ONCE
    }
    const value = readRecord(text, start, dialect, column + 1).cells[column]
    if (value) values.add(value.slice(0, MAX_CELL_LENGTH))
  }
  return [...values]
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

function uniqueNames(headings: readonly string[]): string[] {
  const names: string[] = []
  for (const [at, heading] of headings.entries()) {
    const name = (heading.slice(0, 1_000) || `Column ${at + 1}`).replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 200)
    let unique = name
    for (let copy = 2; names.includes(unique) || unique === '__proto__'; copy++) unique = `${name} (${copy})`
    names.push(unique)
  }
  return names
}

const fieldsOf = (columns: readonly string[], cells: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    columns.flatMap((name, at) => (cells[at] ? [[name, cells[at].slice(0, MAX_CELL_LENGTH)] as const] : [])),
  )

function faultsOf(columns: readonly string[], { cells, filled, isMisquoted }: CsvRecord): string[] {
  const long = columns.find((_, at) => (cells[at] ?? '').length > MAX_CELL_LENGTH)
  return [
    ...(isMisquoted ? ['The quotes of this line don’t match.'] : []),
    ...(filled > columns.length
      ? [`This line has ${filled} cells, and the first line names ${columns.length} columns.`]
      : []),
    ...(long === undefined ? [] : [`${long}: At most ${MAX_CELL_LENGTH.toLocaleString('en')} characters fit.`]),
  ]
}
