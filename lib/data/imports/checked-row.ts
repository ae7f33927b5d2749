import type { ImportRow } from '../../../generated/prisma/client.ts'
import type { TableRow } from './read-table.ts'

/** A line with its verdict, before anything is imported. Its cells are in the table. */
export type CheckedRow = Pick<ImportRow, 'line' | 'verdict' | 'reasons'>

/** Reasons that are kept of a line. */
const MAX_REASONS = 20

export const checkedRow = ({ line }: TableRow, verdict: CheckedRow['verdict'], reasons: string[]): CheckedRow => ({
  line,
  verdict,
  reasons: [...new Set(reasons)].slice(0, MAX_REASONS),
})
