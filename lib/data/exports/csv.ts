import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | bigint | boolean | Date | null | undefined

/** Rows as CSV. A cell that a spreadsheet would run as a formula gets a ' before it. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map(textOf)),
    { record_delimiter: '\r\n', escape_formulas: true },
  )

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString() : String(cell)
}
