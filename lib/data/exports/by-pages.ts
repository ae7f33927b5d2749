import { crashPoint } from '../../core/crash.ts'
import { BYTE_ORDER_MARK, type Cell, csvOf } from './csv.ts'

/**
 * Bounds the rows in memory, however long the file is. Each page is a statement of its own: no transaction is open
 * between two of them.
 */
export const ROWS_PER_PAGE = 1_000

/**
 * A CSV file in pieces: the heading, unless it was sent already, with the first rows, then the others. `read` gets the
 * key after which its page starts.
 */
export async function* csvByPages<Row>(
  heading: readonly string[] | null,
  list: {
    read: (after: string | null) => Promise<Row[]>
    key: (row: Row) => string
    show: (row: Row) => readonly Cell[]
    /** Whether nothing follows these rows, where a page may be shorter than others. */
    isLast?: (rows: readonly Row[]) => boolean
  },
): AsyncGenerator<string> {
  let after: string | null = null
  for (;;) {
    const rows: Row[] = await list.read(after)
    crashPoint('page_read')
    const isHead = after === null && heading !== null
    const piece = (isHead ? BYTE_ORDER_MARK : '') + csvOf([...(isHead ? [heading] : []), ...rows.map(list.show)])
    if (piece !== '') yield piece
    if (rows.length === 0 || (list.isLast ? list.isLast(rows) : rows.length < ROWS_PER_PAGE)) return
    after = list.key(rows.at(-1)!)
  }
}

export type Period = { from?: Date | null | undefined; to?: Date | null | undefined }

/** A Prisma filter on `createdAt`; both ends are inclusive. */
export const createdWithin = ({ from, to }: Period) => ({
  createdAt: { ...(from && { gte: from }), ...(to && { lte: to }) },
})
