import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | bigint | boolean | Date | null | undefined

/** A file begins with it, so that Excel reads UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

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
